// Writing a chain: its steps as cards, one of them open, what the rules say beside each.

const {
  changed, changedRow, inserted, moved, removed, toDraft, toggled, toParts, withoutRow, withRow,
} = await import(new URL(`chain_draft.js${new URL(import.meta.url).search}`, import.meta.url));

export const css = `
.bw-qc { display: flex; flex-direction: column; gap: 8px; }
.bw-qc-field { field-sizing: content; min-height: 32px; resize: none; overflow: hidden; }
.bw-qc-field, .bw-qc-open, .bw-qc-option { scroll-margin-bottom: 64px; }
.bw-qc-field::placeholder { opacity: 0.75; }
.bw-qc-head { display: grid; grid-template-columns: 150px 1fr; gap: 6px; }
.bw-qc-head > :last-child { grid-column: 1 / -1; font-weight: 600; }
.bw-qc-card { display: grid; grid-template-columns: 22px 1fr; gap: 0 8px; padding: 7px 10px; }
.bw-qc-shut { cursor: pointer; }
.bw-qc-shut:hover { border-color: var(--bw-soft); }
.bw-qc-open { border-color: var(--bw-accent); }
.bw-qc-number { font-weight: 700; color: var(--bw-soft); }
.bw-qc-open .bw-qc-number { color: var(--bw-accent); line-height: 32px; }
.bw-qc-body { display: flex; flex-direction: column; gap: 5px; min-width: 0; overflow-wrap: anywhere; }
.bw-qc-line { display: flex; gap: 6px; align-items: flex-start; }
.bw-qc-line > .bw-qc-field { flex: 1; min-width: 0; }
.bw-qc-line > .bw-qc-field.bw-qc-wide { flex: 1.7; }
.bw-qc-answers { display: grid; grid-template-columns: repeat(auto-fill, minmax(200px, 1fr)); gap: 5px 6px; }
.bw-qc-true { border-left: 3px solid var(--bw-yes); }
.bw-qc-icon { min-height: 32px; min-width: 30px; padding: 0 8px; justify-content: center; }
.bw-qc-use { min-height: 26px; min-width: 26px; padding: 0 8px; justify-content: center; }
.bw-qc-use[aria-pressed=true] { border-color: var(--bw-accent); color: var(--bw-accent); font-weight: 700; }
.bw-qc-chip { padding: 0 7px; border: 1px solid var(--bw-line); border-radius: 9px; font-size: 12px; color: var(--bw-soft);
  white-space: nowrap; }
.bw-qc-actions { position: sticky; bottom: 0; padding: 8px 0 2px; background: var(--fo-palette-background-level2, #1a1a1a);
  border-top: 1px solid var(--bw-line); margin-top: auto; }
.bw-qc-remark { padding: 6px 10px; border-left: 3px solid var(--bw-unsure); background: var(--bw-card); border-radius: 3px; }
`;

const stepOf = ({ name }) => Number(name.split("/")[1] ?? 0);
const ruleOf = ({ name }) => name.split("/")[0];
const OF_QUESTIONS = "question-options";
const OF_ANSWERS = "answer-options";

export const Faults = ({ h, faults }) =>
  faults.map(({ name, reason }) => h("p", { key: name, className: "bw-bad bw-small", role: "status" }, reason));

export const Remarks = ({ h, remarks }) =>
  remarks.map(({ who, what }) => h("p", { key: who + what, className: "bw-qc-remark" }, h("strong", null, who), ` ${what}`));

// Enter goes on to the next field, Ctrl+Enter leaves them
function onFieldKey(event) {
  if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
  event.preventDefault();
  const fields = [...event.target.closest(".bw-qc").querySelectorAll(".bw-qc-field")];
  const next = fields[fields.indexOf(event.target) + (event.shiftKey ? -1 : 1)];
  if (event.ctrlKey || event.metaKey || !next) event.target.blur();
  else next.focus();
}

const Field = ({ h, name, value, set, most, isWide, isTrue, list }) =>
  h(list ? "input" : "textarea", {
    className: `bw-input bw-qc-field${isWide ? " bw-qc-wide" : ""}${isTrue ? " bw-qc-true" : ""}`,
    "aria-label": name,
    placeholder: name,
    ...(list ? { list } : { rows: 1 }),
    maxLength: most,
    value,
    onChange: (event) => set(event.target.value.replaceAll("\n", " ")),
    onKeyDown: onFieldKey,
  });

const Icon = ({ h, sign, title, run, isOff }) =>
  h("button", { className: "bw-button bw-qc-icon", title, "aria-label": title, disabled: isOff, onClick: run }, sign);

function Head({ h, draft, set, known, faults }) {
  return h(
    "div",
    { className: "bw-column", style: { gap: 5 } },
    h(
      "div",
      { className: "bw-qc-head" },
      h(
        "select",
        {
          className: "bw-input",
          "aria-label": "category",
          value: draft.category,
          onChange: (event) => set({ category: event.target.value }),
        },
        [...new Set([draft.category, ...Object.keys(known)])].map((name) => h("option", { key: name, value: name }, name || "category")),
      ),
      h(Field, { h, name: "scenario", value: draft.scenario, most: 60, list: "bw-qc-scenarios", set: (scenario) => set({ scenario }) }),
      h("datalist", { id: "bw-qc-scenarios" }, (known[draft.category] ?? []).map((name) => h("option", { key: name, value: name }))),
      h(Field, { h, name: "the chain's question", value: draft.question, most: 300, set: (question) => set({ question }) }),
    ),
    h(Faults, { h, faults }),
  );
}

function Shut({ h, step, number, numberOf, faults, open }) {
  return h(
    "div",
    { className: "bw-card bw-qc-card bw-qc-shut", onClick: open },
    h("span", { className: "bw-qc-number" }, number),
    h(
      "div",
      { className: "bw-qc-body" },
      h(
        "div",
        { className: "bw-qc-line" },
        h("span", { className: "bw-grow" }, step.question || h("span", { className: "bw-muted" }, "no question yet"), " ", h("span", { className: "bw-ok" }, step.answer)),
        step.uses.length > 0 && h("span", { className: "bw-qc-chip" }, `uses ${step.uses.map(numberOf).sort().join(", ")}`),
        faults.length > 1 && h("span", { className: "bw-bad bw-small" }, `${faults.length} faults`),
      ),
      h(Faults, { h, faults: faults.slice(0, 1) }),
    ),
  );
}

function Uses({ h, draft, at, set }) {
  const { uses } = draft.steps[at];
  return h(
    "div",
    { className: "bw-row", style: { gap: 4 } },
    h("span", { className: "bw-muted bw-small" }, "uses the answers of"),
    draft.steps.map(({ key }, place) =>
      h(
        "button",
        {
          key,
          className: "bw-button bw-qc-use",
          "aria-pressed": uses.includes(key),
          disabled: place === at || (place > at && !uses.includes(key)),
          onClick: () => set(toggled(draft, at, place + 1)),
        },
        place + 1,
      ),
    ),
  );
}

const WRONG_QUESTION = "a question that would mislead";
const WRONG_ANSWER = "a wrong answer";

function Options({ h, title, sign, more, add, faults, children }) {
  return h(
    "div",
    { className: "bw-column", style: { gap: 5 } },
    h(
      "div",
      { className: "bw-row" },
      h("h3", { className: "bw-grow" }, title),
      more && h("span", { className: "bw-muted bw-small" }, more),
      h("button", { className: "bw-button bw-small", onClick: add }, "add", h("kbd", { className: "bw-key" }, sign)),
    ),
    children,
    h(Faults, { h, faults }),
  );
}

const wrongRows = (rows) => rows.filter(({ isTrue }) => !isTrue);

function Questions({ h, draft, step, set, faults, isLast }) {
  const put = (key, fields) => set(changedRow(draft, step, "questions", key, fields));
  return h(
    Options,
    {
      h, faults, sign: "o", title: "wrong questions, and their answers",
      more: isLast && "the last step needs none",
      add: () => set(withRow(draft, step, "questions")),
    },
    wrongRows(step.questions).map(({ key, text, answer }) =>
      h(
        "div",
        { key, className: "bw-qc-line" },
        h(Field, { h, name: WRONG_QUESTION, value: text, most: 300, isWide: true, set: (said) => put(key, { text: said }) }),
        h(Field, { h, name: "its own answer", value: answer, most: 200, set: (said) => put(key, { answer: said }) }),
        h(Icon, { h, sign: "×", title: "take this question out", run: () => set(withoutRow(draft, step, "questions", key)) }),
      ),
    ),
  );
}

function Answers({ h, draft, step, set, faults }) {
  return h(
    Options,
    { h, faults, sign: "w", title: "wrong answers", add: () => set(withRow(draft, step, "answers")) },
    h(
      "div",
      { className: "bw-qc-answers" },
      wrongRows(step.answers).map(({ key, text }) =>
        h(
          "div",
          { key, className: "bw-qc-line" },
          h(Field, { h, name: WRONG_ANSWER, value: text, most: 200, set: (said) => set(changedRow(draft, step, "answers", key, { text: said })) }),
          h(Icon, { h, sign: "×", title: "take this answer out", run: () => set(withoutRow(draft, step, "answers", key)) }),
        ),
      ),
    ),
  );
}

function Open({ h, draft, at, set, setAt, faults }) {
  const step = draft.steps[at];
  const isLast = at === draft.steps.length - 1;
  const of = (...rules) => faults.filter((each) => rules.includes(ruleOf(each)));
  const put = (fields) => set(changed(draft, step.key, fields));
  const move = (to) => (set(moved(draft, at, to)), setAt(to));
  return h(
    "div",
    { className: "bw-card bw-qc-card bw-qc-open" },
    h("span", { className: "bw-qc-number" }, at + 1),
    h(
      "div",
      { className: "bw-qc-body" },
      h(
        "div",
        { className: "bw-qc-line" },
        h(Field, { h, name: "question", value: step.question, most: 300, isWide: true, isTrue: true, set: (question) => put({ question }) }),
        h(Field, { h, name: "answer", value: step.answer, most: 200, isTrue: true, set: (answer) => put({ answer }) }),
        h(Icon, { h, sign: "↑", title: "move this step up (b)", isOff: at === 0, run: () => move(at - 1) }),
        h(Icon, { h, sign: "↓", title: "move this step down (m)", isOff: isLast, run: () => move(at + 1) }),
        h(Icon, { h, sign: "×", title: "take this step out (d)", run: () => (set(removed(draft, at)), setAt(Math.max(0, at - 1))) }),
      ),
      at > 0 && h(Uses, { h, draft, at, set }),
      h(Faults, { h, faults: of("filled", "new", "given-away", "order", "helpful") }),
      h(Questions, { h, draft, step, set, isLast, faults: of(OF_QUESTIONS) }),
      h(Answers, { h, draft, step, set, faults: of(OF_ANSWERS) }),
    ),
  );
}

// what is written and not stored yet outlives a look at another task, and the page
function useDraft({ React, task }) {
  const place = `bw-chain/${task.auditor}/${task.sample_id}`;
  const original = React.useMemo(() => JSON.stringify(toParts(toDraft(task.shown.chain))), []);
  const [draft, set] = React.useState(() => {
    const own = task.mine && task.mine.verdict !== "withdrawn" ? task.mine.text : null;
    try {
      return toDraft(JSON.parse(localStorage.getItem(place) ?? own ?? original));
    } catch {
      return toDraft(JSON.parse(original)); // what was kept is no chain
    }
  });
  const text = JSON.stringify(toParts(draft));
  React.useEffect(() => {
    if (text === original) localStorage.removeItem(place);
    else localStorage.setItem(place, text);
  }, [text]);
  return {
    draft, set, text,
    isChanged: text !== original,
    startOver: () => set(toDraft(JSON.parse(original))),
    forget: () => localStorage.removeItem(place),
  };
}

// what the rules say of the text; ``look`` asks at once, else it is asked shortly after a change
function useChecks({ React, task, call, error }, text) {
  const [found, setFound] = React.useState({ text: JSON.stringify(toParts(toDraft(task.shown.chain))), checks: task.shown.checks, advice: task.shown.advice });
  const latest = React.useRef(text);
  latest.current = text;
  async function look() {
    if (found.text === text) return found.checks;
    const said = await call("check", { sample_id: task.sample_id, draft: { chain: JSON.parse(text) } });
    if (said.error) {
      error(said.error);
      return null;
    }
    if (latest.current === text) setFound({ text, checks: said.checks, advice: said.advice });
    return said.checks;
  }
  React.useEffect(() => {
    if (found.text === text) return undefined;
    const timer = setTimeout(look, 200);
    return () => clearTimeout(timer);
  }, [text]);
  return { faults: found.checks.filter(({ passed }) => !passed), advice: found.advice ?? [], isCurrent: found.text === text, look };
}

const field = (name) => `.bw-qc-open .bw-qc-field[aria-label="${name}"]`;
const QUESTION = field("question");

export function Editor(props) {
  const { h, React, task, judge, useKeys } = props;
  const { shown } = task;
  const root = React.useRef(null);
  const { draft, set, text, isChanged, startOver, forget } = useDraft(props);
  const { faults, advice, isCurrent, look } = useChecks(props, text);
  const [chosen, setAt] = React.useState(0);
  // what is to have the focus once it is drawn; a new object each time, or a wish for the same
  // field would be none while an earlier one is still being forgotten
  const [wanted, setWanted] = React.useState(null);
  const want = (selector) => setWanted({ selector });
  const count = draft.steps.length;
  const at = Math.min(chosen, Math.max(0, count - 1));
  const step = draft.steps[at];
  const other = shown.owner !== null && shown.owner !== task.auditor ? shown.owner : null;

  React.useEffect(() => {
    root.current.querySelector(".bw-qc-open")?.scrollIntoView({ block: "nearest" });
  }, [step?.key]);

  React.useLayoutEffect(() => {
    if (wanted === null) return;
    const fields = root.current.querySelectorAll(wanted.selector);
    fields[fields.length - 1]?.focus();
  }, [wanted]);

  async function approve() {
    const checks = await look();
    if (!checks || checks.some(({ passed }) => !passed)) return;
    const stored = await judge({ verdict: isChanged ? "corrected" : "confirmed", text });
    if (!stored?.error) forget();
  }
  const numberOf = (key) => draft.steps.findIndex((each) => each.key === key) + 1;
  const go = (to) => setAt(Math.max(0, Math.min(count - 1, to)));
  const move = (to) => to >= 0 && to < count && (set(moved(draft, at, to)), setAt(to));
  const add = () => (set(inserted(draft, count === 0 ? 0 : at + 1)), setAt(count === 0 ? 0 : at + 1), want(QUESTION));
  const addRow = (kind, focus) => (set(withRow(draft, step, kind)), want(focus));
  const conclude = () => set(changed(draft, draft.steps[count - 1].key, { question: draft.question }));
  const reject = () => judge({ verdict: "rejected" });
  const canConclude = count > 0 && draft.question !== "" && draft.steps[count - 1].question !== draft.question;

  // those that stand on a button or beside a title need no label
  useKeys({
    ...(step && {
      j: { label: "next step", run: () => go(at + 1) },
      k: { label: "step before", run: () => go(at - 1) },
      e: { label: "edit it", run: () => want(QUESTION) },
    }),
    c: { label: "edit the chain's question", run: () => want(".bw-qc-head .bw-qc-field") },
    n: { run: add },
    ...(step && {
      b: { label: "move up", run: () => move(at - 1) },
      m: { label: "move down", run: () => move(at + 1) },
      d: { label: "take it out", run: () => (set(removed(draft, at)), go(at - 1)) },
      ...Object.fromEntries(draft.steps.map((_, place) => [String(place + 1), { label: at > 0 && place === 0 ? `to ${count}: use that answer` : null, run: () => place < at && set(toggled(draft, at, place + 1)) }])),
      o: { run: () => addRow("questions", field(WRONG_QUESTION)) },
      w: { run: () => addRow("answers", field(WRONG_ANSWER)) },
    }),
    ...(canConclude && { l: { run: conclude } }),
    a: { run: approve },
    i: { run: reject },
    u: { label: "unsure", run: () => judge({ verdict: "unsure" }) },
    ...(isChanged && { t: { run: startOver } }),
  });

  const isStopped = isCurrent && faults.length > 0;
  return h(
    "div",
    { className: "bw-qc bw-grow", ref: root },
    other && h("p", { className: "bw-qc-remark" }, `${other} wrote or approved this chain and is to mend it; go on with the next.`),
    h(Remarks, { h, remarks: shown.remarks }),
    h(Head, { h, draft, set: (fields) => set({ ...draft, ...fields }), known: shown.scenarios, faults: faults.filter((each) => stepOf(each) === 0) }),
    count === 0 && h("p", { className: "bw-muted" }, "A question that takes two to six steps: write it, then each step of the way ( n ). The last step asks the question itself."),
    draft.steps.map((each, place) => {
      const own = faults.filter((fault) => stepOf(fault) === place + 1);
      return place === at
        ? h(Open, { key: each.key, h, draft, at, set, setAt, faults: own })
        : h(Shut, { key: each.key, h, step: each, number: place + 1, numberOf, faults: own, open: () => setAt(place) });
    }),
    advice.map((each) => h("p", { key: each.name, className: "bw-warn bw-small", role: "status" }, `step ${stepOf(each)}: ${each.reason}`)),
    h(
      "div",
      { className: "bw-row bw-qc-actions" },
      h("button", { className: "bw-button bw-yes", disabled: isStopped || other !== null, onClick: approve }, "approve", h("kbd", { className: "bw-key" }, "a")),
      h("button", { className: "bw-button bw-small", onClick: add }, "new step", h("kbd", { className: "bw-key" }, "n")),
      canConclude && h("button", { className: "bw-button bw-small", onClick: conclude }, "last step asks it", h("kbd", { className: "bw-key" }, "l")),
      h("button", { className: "bw-button bw-small bw-no", onClick: reject }, "no chain here", h("kbd", { className: "bw-key" }, "i")),
      isChanged && h("button", { className: "bw-button bw-small", onClick: startOver }, "start over", h("kbd", { className: "bw-key" }, "t")),
      h("span", { className: isStopped ? "bw-bad" : isCurrent ? "bw-ok" : "bw-muted" }, isCurrent ? (isStopped ? `${faults.length} ${faults.length === 1 ? "fault" : "faults"}` : "all rules hold") : "…"),
    ),
  );
}
