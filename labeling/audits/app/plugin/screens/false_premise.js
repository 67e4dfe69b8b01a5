// A dialogue whose later questions presuppose something false: is it as it must be, and if not,
// what is the better wording. The rules look at every change before it can be approved.

const css = `
.bw-fp { display: flex; flex-direction: column; gap: 10px; min-height: 100%; }
.bw-fp-two { display: grid; grid-template-columns: 44px 1fr auto; gap: 6px 10px; align-items: center; }
.bw-fp-two b { font-size: 12px; font-weight: 600; color: var(--bw-soft); }
.bw-fp-said { font-size: 17px; line-height: 1.3; overflow-wrap: anywhere; }
.bw-fp-said mark, .bw-fp-turn mark { border-radius: 3px; padding: 1px 0; color: inherit; font-weight: 600; }
.bw-fp-true mark { background: color-mix(in srgb, var(--bw-yes) 38%, transparent); }
.bw-fp-false mark { background: color-mix(in srgb, var(--bw-no) 45%, transparent); }
.bw-fp-turns { display: grid; gap: 2px; margin: 0; padding: 0; list-style: none; font-size: 13px; line-height: 1.35; }
.bw-fp-turn { display: flex; gap: 8px; padding: 2px 8px; border-left: 3px solid var(--bw-yes); overflow-wrap: anywhere; }
.bw-fp-turn.bw-fp-false { border-color: var(--bw-no); background: var(--bw-card); }
.bw-fp-turn b { flex: none; width: 18px; text-align: right; color: var(--bw-soft); font-weight: 600; }
.bw-fp-turn u { text-decoration-color: var(--bw-soft); text-decoration-thickness: 1px; text-underline-offset: 3px; }
.bw-fp-turn i { font-style: normal; color: var(--bw-no); }
.bw-fp-lost { color: var(--bw-no); }
.bw-fp-checks { display: flex; flex-wrap: wrap; gap: 2px 16px; font-size: 13px; min-height: 20px; }
.bw-fp-checks .bw-bad { flex-basis: 100%; overflow-wrap: anywhere; }
.bw-fp-item { flex: 1 1 140px; justify-content: space-between; white-space: nowrap; }
.bw-fp-foot { margin-top: auto; display: flex; flex-direction: column; gap: 10px; }
.bw-fp-verdict { flex: 1; justify-content: space-between; }
`;

const PAUSE = 350; // milliseconds without a key, after which the rules look
const STATES = ["open", "holds", "fails"];
const SIGNS = { open: ["○", "bw-muted"], holds: ["✓", "bw-ok"], fails: ["✗", "bw-bad"] };

// spans count code points, as Python does
function pieces(text, ...ends) {
  const letters = Array.from(text);
  const stops = [0, ...ends, letters.length];
  return stops.slice(1).map((end, at) => letters.slice(stops[at], end).join(""));
}

function Marked({ h, text, span }) {
  const [before, changed, after] = pieces(text, ...span);
  return h("span", null, before, h("mark", null, changed || "‸"), after);
}

// a question in pieces: its description underlined, the edit and the words repaired beside it marked
function Turn({ h, turn, edit }) {
  const className = turn.is_false ? "bw-fp-turn bw-fp-false" : "bw-fp-turn bw-fp-true";
  const number = h("b", null, turn.index);
  if (turn.span === null) {
    return h("li", { className }, number, h("span", { className: "bw-fp-lost" }, turn.asked));
  }
  const spans = [...turn.repairs, turn.span].sort(([one], [other]) => one - other);
  const marked = (text, span) => {
    if (span !== turn.span) return h("i", { key: span[0] }, text);
    return h("u", { key: span[0] }, turn.is_false ? h(Marked, { h, text, span: edit }) : text);
  };
  const said = pieces(turn.asked, ...spans.flat()).map((text, at) => (at % 2 ? marked(text, spans[(at - 1) / 2]) : text));
  return h("li", { className, title: turn.is_false ? `true: ${turn.true}` : undefined }, number, h("span", null, said));
}

function Checks({ h, checks, isChecking }) {
  return h(
    "div",
    { className: "bw-fp-checks", "data-checking": isChecking },
    [...checks].sort((one, other) => one.passed - other.passed).map(({ name, passed, reason }) =>
      h(
        "span",
        { key: name, className: passed ? "bw-ok" : "bw-bad" },
        passed ? "✓ " : "✗ ",
        passed ? h("span", { className: "bw-muted" }, name) : `${name}: ${reason}`,
      ),
    ),
  );
}

function Checklist({ h, names, states, turn }) {
  return h(
    "div",
    { className: "bw-row" },
    names.map((name, at) => {
      const [sign, className] = SIGNS[states[at]];
      return h(
        "button",
        { key: name, className: "bw-button bw-small bw-fp-item", "data-state": states[at], onClick: () => turn(at) },
        h("span", null, h("strong", { className }, sign), ` ${name}`),
        h("kbd", { className: "bw-key" }, at + 1),
      );
    }),
  );
}

function wordingOf(mine) {
  try {
    return JSON.parse(mine.text).false_description ?? null;
  } catch {
    return null;
  }
}

// what the rules say of the wording in the field: asked for after a pause, old answers thrown away
function useRules(React, task, call, error) {
  const { shown, sample_id } = task;
  const [view, setView] = React.useState(shown);
  const [isChecking, setChecking] = React.useState(false);
  const latest = React.useRef(0);
  const timer = React.useRef(0);
  React.useEffect(() => () => clearTimeout(timer.current), []);

  function look(text) {
    clearTimeout(timer.current);
    const number = ++latest.current;
    if (text.trim() === shown.false_description) {
      setChecking(false);
      return setView(shown);
    }
    setChecking(true);
    timer.current = setTimeout(async () => {
      const found = await call("check", { sample_id, draft: { false_description: text } });
      if (number !== latest.current) return;
      if (found.error) return error(found.error);
      setView({ ...shown, ...found });
      setChecking(false);
    }, PAUSE);
  }
  return { view, isChecking, look };
}

export function Screen({ h, React, task, judge, call, useKeys, error }) {
  const { shown, sample_id } = task;
  const mine = task.mine && task.mine.verdict !== "withdrawn" ? task.mine : null;
  const field = React.useRef(null);
  const [text, setText] = React.useState(shown.false_description);
  const [isDrafting, setDrafting] = React.useState(false);
  const [tried, setTried] = React.useState([]);
  const { view, isChecking, look } = useRules(React, task, call, error);
  const [states, setStates] = React.useState(() =>
    shown.checklist.map((name) => {
      if (mine?.failed?.includes(name)) return "fails";
      return mine && ["confirmed", "corrected"].includes(mine.verdict) ? "holds" : "open";
    }),
  );

  function write(wording) {
    error(null);
    setText(wording);
    look(wording);
  }
  React.useEffect(() => {
    const wording = mine?.verdict === "corrected" ? wordingOf(mine) : null;
    if (wording) write(wording);
  }, []);

  const isEdited = text.trim() !== shown.false_description;
  const isSound = !isChecking && view.checks.every((check) => check.passed || !check.by_rule);
  const named = (wanted) => shown.checklist.filter((_, at) => wanted(states[at]));

  const turn = (at) =>
    setStates((old) => old.map((state, place) => (place === at ? STATES[(STATES.indexOf(state) + 1) % 3] : state)));
  const approve = () => {
    if (!isSound) return null;
    const failed = named((state) => state !== "holds");
    if (!isEdited) return judge({ verdict: "confirmed", failed });
    return judge({ verdict: "corrected", text: JSON.stringify({ false_description: text.trim() }), failed });
  };
  const reject = () => judge({ verdict: "rejected", failed: named((state) => state === "fails") });
  const unsure = () => judge({ verdict: "unsure" });
  const edit = () => {
    field.current.focus(); // with what the edit changed selected
    const [before, changed] = pieces(text, ...view.false_span);
    field.current.setSelectionRange(before.length, before.length + changed.length);
  };
  async function redraft() {
    if (isDrafting) return;
    setDrafting(true);
    const found = await call("redraft", { sample_id, tried });
    setDrafting(false);
    if (found.error) error(found.error);
    else {
      setTried([...tried, found.draft.false_description]);
      write(found.draft.false_description);
    }
  }

  useKeys({
    ...Object.fromEntries(
      shown.checklist.map((name, at) => [String(at + 1), { label: at ? null : "to 4: holds, fails", run: () => turn(at) }]),
    ),
    e: { label: "edit", run: edit },
    d: { label: "another draft", run: redraft },
    a: { label: "approve", run: approve },
    j: { label: "reject", run: reject },
    u: { label: "unsure", run: unsure },
  });

  const verdicts = [
    ["a", isEdited ? "Approve as edited" : "Approve", "bw-yes", approve, isSound, ["confirmed", "corrected"]],
    ["j", "Reject", "bw-no", reject, true, ["rejected"]],
    ["u", "Unsure", "bw-unsure", unsure, true, ["unsure"]],
  ];

  return h(
    "div",
    { className: "bw-fp" },
    h("style", null, css),
    h("h3", null, `${shown.premise_class} · ${shown.category} · ${shown.complexity}`),
    h(
      "div",
      { className: "bw-fp-two" },
      h("b", null, "true"),
      h("div", { className: "bw-fp-said bw-fp-true" }, h(Marked, { h, text: shown.true_description, span: view.true_span })),
      h("span"),
      h("b", null, "false"),
      h("div", { className: "bw-fp-said bw-fp-false" }, h(Marked, { h, text: view.false_description, span: view.false_span })),
      h("span"),
      h("b", null, "edit"),
      h("input", {
        ref: field,
        className: "bw-input",
        value: text,
        maxLength: 300,
        spellCheck: true,
        onChange: (event) => write(event.target.value),
        onKeyDown: (event) => event.key === "Enter" && event.target.blur(),
      }),
      h(
        "button",
        { className: "bw-button bw-small", disabled: isDrafting, onClick: redraft },
        "another draft",
        h("kbd", { className: "bw-key" }, "d"),
      ),
    ),
    h("ol", { className: "bw-fp-turns" }, view.questions.map((each) => h(Turn, { key: each.index, h, turn: each, edit: view.false_span }))),
    h(
      "div",
      { className: "bw-fp-foot" },
      h(Checks, { h, checks: view.checks, isChecking }),
      h(Checklist, { h, names: shown.checklist, states, turn }),
      h(
        "div",
        { className: "bw-row" },
        verdicts.map(([key, label, className, run, isPossible, said]) =>
          h(
            "button",
            {
              key,
              className: `bw-button ${className} bw-fp-verdict ${said.includes(mine?.verdict) ? "bw-chosen" : ""}`,
              disabled: !isPossible,
              onClick: run,
            },
            label,
            h("kbd", { className: "bw-key" }, key),
          ),
        ),
      ),
    ),
  );
}
