// A chain of questions, at the stage that it waits for: writing it, judging its distractors, or
// checking it.

const { css, Editor, Faults } = await import(new URL(`chain_editor.js${new URL(import.meta.url).search}`, import.meta.url));

const own = `
.bw-qc-text { font-size: 17px; line-height: 1.35; font-weight: 600; overflow-wrap: anywhere; }
.bw-qc-choices { display: grid; grid-template-columns: minmax(0, 1.6fr) minmax(0, 1fr); gap: 0 12px; }
.bw-qc-option { display: grid; grid-template-columns: 12px minmax(0, 1fr) auto; gap: 0 6px; padding: 1px 6px;
  border: 1px solid transparent; border-radius: 5px; font-size: 13px; overflow-wrap: anywhere; }
.bw-qc-option[data-judged] { cursor: pointer; }
.bw-qc-option[data-at=true] { border-color: var(--bw-accent); background: var(--bw-raised); }
.bw-qc-option[data-judged=unfit] .bw-qc-said { text-decoration: line-through; color: var(--bw-soft); }
.bw-qc-its { color: var(--bw-soft); max-width: 130px; }
`;

const FITTING = "A question fits that sounds useful here and is not; an answer fits that could be and that the picture rules out.";
const VALID = "Valid: each answer is right, each step is of use for a later one, and no step asks for what comes later.";
const BARRED = "You wrote, approved or checked this chain before; another person checks it. Go on with the next ( . ).";
const dealt = (name) => `Dealt to ${name}, who checks it. Go on with the next ( . ).`;
const isRound = (stage) => stage.startsWith("round-");

// the distractors with their names, as ``labeling.dialogues.question_chain.distractors`` gives them
function distractorsOf(step, number) {
  const questions = step.question_options.map(({ text, answer, origin }, at) => ({ name: `${number}/q${at + 1}`, text, answer, isTrue: origin === "true" }));
  const answers = step.answer_options.map((text, at) => ({ name: `${number}/a${at + 1}`, text, isTrue: text === step.answer }));
  return [questions, answers].map((options) => options.filter(({ isTrue }) => !isTrue));
}

const SIGNS = { fit: ["✓", "bw-ok"], unfit: ["✗", "bw-bad"], open: ["·", "bw-muted"] };

function Option({ h, option, judged, isAt, choose }) {
  const [sign, colour] = SIGNS[judged ?? "open"];
  return h(
    "div",
    { className: "bw-qc-option", "data-judged": judged, "data-at": isAt, onClick: choose, id: `bw-qc-${option.name}` },
    h("span", { className: colour }, sign),
    h("span", { className: "bw-qc-said" }, option.text),
    h("span", { className: "bw-qc-its" }, option.answer),
  );
}

function Step({ h, step, number, faults, judged, at, choose }) {
  const [questions, answers] = distractorsOf(step, number);
  const line = (option) =>
    h(Option, { key: option.name, h, option, judged: judged?.(option.name), isAt: option.name === at, choose: choose && (() => choose(option.name)) });
  const list = (title, options) => h("div", null, options.length > 0 && h("h3", null, title), options.map(line));
  return h(
    "div",
    { className: "bw-card bw-qc-card" },
    h("span", { className: "bw-qc-number" }, number),
    h(
      "div",
      { className: "bw-qc-body" },
      h(
        "div",
        { className: "bw-qc-line" },
        h("span", { className: "bw-grow" }, h("strong", null, step.question), " ", h("span", { className: "bw-ok" }, step.answer)),
        step.uses.length > 0 && h("span", { className: "bw-qc-chip" }, `uses ${step.uses.join(", ")}`),
      ),
      h(Faults, { h, faults }),
      h("div", { className: "bw-qc-choices" }, list("wrong questions, and their answers", questions), list("wrong answers", answers)),
    ),
  );
}

function Chain({ h, shown, advice, barred, children, ...rest }) {
  const { chain } = shown;
  const of = (number) => shown.checks.filter(({ name, passed }) => !passed && name.endsWith(`/${number}`));
  return h(
    "div",
    { className: "bw-qc bw-grow" },
    barred && h("p", { className: "bw-qc-remark" }, barred),
    h("h3", null, `${chain.category}: ${chain.scenario}`),
    h("p", { className: "bw-qc-text" }, chain.question),
    h("p", { className: "bw-muted bw-small" }, advice),
    chain.steps.map((step, at) => h(Step, { key: at, h, step, number: at + 1, faults: of(at + 1), ...rest })),
    children,
  );
}

const Key = ({ h, name }) => h("kbd", { className: "bw-key" }, name);

function Distractors({ h, React, task, judge, useKeys }) {
  const { shown, mine } = task;
  const names = React.useMemo(
    () =>
      shown.chain.steps.flatMap((step, at) => distractorsOf(step, at + 1).flat().map(({ name }) => name)),
    [],
  );
  const isStored = mine && ["confirmed", "corrected"].includes(mine.verdict);
  const [marks, setMarks] = React.useState(() =>
    Object.fromEntries(isStored ? names.map((name) => [name, mine.failed.includes(name) ? "unfit" : "fit"]) : []),
  );
  const [place, setPlace] = React.useState(0);
  const at = names[place];
  const unfit = names.filter((name) => marks[name] === "unfit");
  const left = names.filter((name) => !marks[name]).length;
  const go = (to) => setPlace(Math.max(0, Math.min(names.length - 1, to)));
  const mark = (said) => (setMarks({ ...marks, [at]: said }), go(place + 1));
  const store = () => judge({ verdict: unfit.length > 0 ? "corrected" : "confirmed", failed: unfit });
  React.useEffect(() => {
    document.getElementById(`bw-qc-${at}`)?.scrollIntoView({ block: "nearest" });
  }, [at]);

  useKeys({
    y: { label: "fits", run: () => mark("fit") },
    n: { label: "does not fit", run: () => mark("unfit") },
    j: { label: "next", run: () => go(place + 1) },
    k: { label: "the one before", run: () => go(place - 1) },
    a: { label: left > 0 ? "the rest fits: store" : "store", run: store },
    u: { label: "unsure", run: () => judge({ verdict: "unsure" }) },
  });

  return h(
    Chain,
    { h, shown, at, advice: FITTING, judged: (name) => marks[name] ?? "open", choose: (name) => setPlace(names.indexOf(name)) },
    h(
      "div",
      { className: "bw-row bw-qc-actions" },
      h("button", { className: "bw-button bw-yes", onClick: () => mark("fit") }, "fits", h(Key, { h, name: "y" })),
      h("button", { className: "bw-button bw-no", onClick: () => mark("unfit") }, "does not fit", h(Key, { h, name: "n" })),
      h("button", { className: "bw-button", onClick: store }, left > 0 ? `the other ${left} fit: store` : "store", h(Key, { h, name: "a" })),
    ),
  );
}

function Round({ h, task, judge, useKeys, error }) {
  const { shown, mine } = task;
  const isDealt = ![undefined, null, task.auditor].includes(shown.dealt_to);
  const isBarred = isDealt || shown.barred.includes(task.auditor);
  const chosen = mine ? { confirmed: "valid", rejected: "invalid", unsure: "unsure" }[mine.verdict] : null;

  function invalid() {
    const note = document.querySelector(".bw-panel .bw-note");
    if (note && note.value.trim() === "") {
      error("say in the note what makes it invalid, leave the note with Enter, and press i again");
      note.focus();
      return;
    }
    judge({ verdict: "rejected" });
  }
  const answers = isBarred
    ? []
    : [
        ["v", "valid", "yes", () => judge({ verdict: "confirmed" })],
        ["i", "invalid", "no", invalid],
        ["u", "unsure", "unsure", () => judge({ verdict: "unsure" })],
      ];
  useKeys(Object.fromEntries(answers.map(([key, label, , run]) => [key, { label, run }])));

  return h(
    Chain,
    { h, shown, advice: VALID, barred: isBarred && (isDealt ? dealt(shown.dealt_to) : BARRED) },
    !isBarred &&
      h(
        "div",
        { className: "bw-row bw-qc-actions" },
        answers.map(([key, label, colour, run]) =>
          h("button", { key, className: `bw-button bw-${colour}${label === chosen ? " bw-chosen" : ""}`, onClick: run }, label, h(Key, { h, name: key })),
        ),
      ),
  );
}

export function Screen(props) {
  const { h, task } = props;
  const { stage } = task.shown;
  const Stage = stage === "chain" ? Editor : isRound(stage) ? Round : Distractors;
  return h(props.React.Fragment, null, h("style", null, css + own), h(Stage, props));
}
