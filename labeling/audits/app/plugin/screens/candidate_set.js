// One turn of a dialogue: which boxes of the picture may still be meant.

// the same question mark and what is behind it: no old part is left in a cache
const { Stage, WHOLE, colourOf, css: stageCss, smallestAt, viewOf, zoomed } = await import(
  new URL(`boxes_stage.js${new URL(import.meta.url).search}`, import.meta.url)
);

const css = `${stageCss}
.bw-cs-chat { flex: none; max-height: 30%; overflow: auto; display: flex; flex-direction: column; gap: 1px; }
.bw-cs-line { display: flex; gap: 8px; padding: 1px 8px; border-left: 3px solid transparent; color: var(--bw-soft); }
.bw-cs-line b { flex: none; width: 48px; font-weight: 600; font-size: 12px; line-height: 20px; }
.bw-cs-line span { overflow-wrap: anywhere; min-width: 0; }
.bw-cs-now { border-color: var(--bw-accent); background: var(--bw-card); color: var(--bw-text); }
.bw-cs-foot { flex: none; display: flex; flex-direction: column; gap: 6px; }
.bw-cs-chips { display: flex; flex-wrap: wrap; gap: 4px; max-height: 88px; overflow: auto; }
.bw-cs-chip { display: inline-flex; gap: 6px; align-items: center; padding: 1px 8px; border: 1px solid var(--bw-line);
  border-radius: 5px; background: transparent; color: var(--bw-soft); font: inherit; font-size: 12px; cursor: pointer; }
.bw-cs-chip i { width: 10px; height: 10px; border-radius: 3px; border: 2px solid; }
.bw-cs-chip.bw-cs-on { background: var(--bw-raised); color: var(--bw-text); border-color: var(--bw-soft); }
.bw-cs-says { min-height: 18px; line-height: 18px; }
`;

const WAIT = 350; // milliseconds in which a second digit belongs to the first

// the marks of this auditor's turns, kept by the tab
function memory(task) {
  const key = `bw-candidates ${task.auditor} ${task.shown.dialogue_id}`;
  const read = () => {
    try {
      return JSON.parse(sessionStorage.getItem(key)) ?? {};
    } catch {
      return {};
    }
  };
  return {
    last() {
      const turns = read();
      const before = Object.keys(turns).map(Number).filter((turn) => turn < task.shown.turn);
      return before.length ? turns[Math.max(...before)] : null;
    },
    keep(ids) {
      try {
        sessionStorage.setItem(key, JSON.stringify({ ...read(), [task.shown.turn]: ids }));
      } catch {
        // a full or forbidden storage: the next turn then starts with no marks
      }
    },
  };
}

// digits become the id of a box; where a longer id begins alike, a second digit is waited for
function useDigits(React, ids, toggle) {
  const waiting = React.useRef({ text: "", timer: 0 });
  const [typed, setTyped] = React.useState("");
  const put = (text) => {
    clearTimeout(waiting.current.timer);
    waiting.current = { text, timer: text ? setTimeout(flush, WAIT) : 0 };
    setTyped(text);
  };
  function flush() {
    const { text } = waiting.current;
    put("");
    return text && ids.includes(text) ? toggle(text) : null;
  }
  React.useEffect(() => () => clearTimeout(waiting.current.timer), []);
  function press(digit) {
    const text = waiting.current.text + digit;
    if (waiting.current.text && !ids.some((id) => id.startsWith(text))) flush();
    const next = waiting.current.text + digit;
    if (ids.some((id) => id.length > next.length && id.startsWith(next))) return put(next);
    put("");
    if (ids.includes(next)) toggle(next);
  }
  return { typed, press, flush, isWaiting: () => waiting.current.text !== "" };
}

function Chat({ h, React, shown }) {
  const end = React.useRef(null);
  React.useEffect(() => {
    end.current.scrollTop = end.current.scrollHeight;
  }, []);
  return h(
    "div",
    { className: "bw-cs-chat", ref: end },
    shown.context.map((line, at) =>
      h(
        "div",
        { key: at, className: at >= shown.said ? "bw-cs-line bw-cs-now" : "bw-cs-line" },
        h("b", null, line.speaker),
        h("span", null, line.text),
      ),
    ),
  );
}

// what the rules say of the marks, a moment after the last change
function useAdvice(React, task, call, boxes, last) {
  const [advice, setAdvice] = React.useState([]);
  const said = JSON.stringify(boxes);
  React.useEffect(() => {
    let isWanted = true;
    setAdvice([]);
    const timer = setTimeout(async () => {
      const found = await call("check", { sample_id: task.sample_id, draft: { boxes, last } });
      if (isWanted) setAdvice((found.advice ?? []).filter((check) => !check.passed));
    }, 200);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [said]);
  return boxes.length ? advice : [];
}

function Chips({ h, boxes, marks, hovered, setHovered, toggle }) {
  return h(
    "div",
    { className: "bw-cs-chips" },
    boxes.map((box) =>
      h(
        "button",
        {
          key: box.id,
          className: marks.includes(box.id) ? "bw-cs-chip bw-cs-on" : "bw-cs-chip",
          style: box.id === hovered ? { borderColor: box.colour } : null,
          onMouseEnter: () => setHovered(box.id),
          onMouseLeave: () => setHovered(null),
          onClick: () => toggle(box.id),
          "aria-pressed": marks.includes(box.id),
        },
        h("i", { style: { borderColor: box.colour, background: marks.includes(box.id) ? box.colour : "none" } }),
        box.category ? `${box.id} ${box.category}` : box.id,
        box.star && " ★",
      ),
    ),
  );
}

export function Screen({ h, React, task, judge, call, media, useKeys, error }) {
  const { shown, mine } = task;
  const kept = React.useMemo(() => memory(task), []);
  const last = React.useMemo(() => kept.last(), []);
  const boxes = React.useMemo(
    () => shown.boxes.map((box, at) => ({ ...box, colour: colourOf(at), star: box.id === shown.target })),
    [],
  );
  const ids = boxes.map((box) => box.id);
  const known = (some) => ids.filter((id) => (some ?? []).includes(id));
  const [marks, setMarks] = React.useState(() => known(mine?.boxes?.length ? mine.boxes : last));
  const now = React.useRef(marks); // a key that comes before the next drawing sees the marks too
  const [hovered, setHovered] = React.useState(null);
  const [areShown, setShown] = React.useState(true);
  const [view, setView] = React.useState(WHOLE);
  const [point, setPoint] = React.useState(null);
  const [missed, setMissed] = React.useState(false);
  const looked = React.useRef(-1);

  const mark = (some) => {
    now.current = known(some);
    setMarks(now.current);
    setMissed(false);
    error(null);
  };
  const toggle = (id) =>
    mark(now.current.includes(id) ? now.current.filter((each) => each !== id) : [...now.current, id]);
  const digits = useDigits(React, ids, toggle);
  const advice = useAdvice(React, task, call, marks, last);

  const press = (at) => {
    const box = smallestAt(boxes, at);
    setPoint(at);
    if (box) toggle(box.id);
    else setMissed(true);
  };
  const submit = () => {
    digits.flush();
    if (!now.current.length) return error("no box is marked; mark each object that may still be meant");
    kept.keep(now.current); // before the next turn is drawn
    judge({ verdict: "confirmed", boxes: now.current });
  };
  // proposed boxes bear the name of their model, and are marked by its key alone
  const machine = shown.model_marks ?? (shown.proposed ? { model: "the machine", boxes: shown.proposed } : null);
  const centre = { x: shown.width / 2, y: shown.height / 2 };
  const zoom = (factor) => setView((old) => zoomed(old, factor, centre, shown));
  const look = () => {
    looked.current = (looked.current + 1) % boxes.length;
    setView(viewOf(boxes[looked.current].bbox, shown));
    setHovered(boxes[looked.current].id);
  };
  const reset = () => {
    setView(WHOLE);
    looked.current = -1;
  };

  const keyed = [
    ["Enter", "store", submit],
    ["l", "last turn", () => mark(last), last],
    ["p", `${machine?.model}'s marks`, () => mark(machine.boxes), machine],
    ["c", "clear", () => mark([])],
    ["b", areShown ? "hide boxes" : "show boxes", () => setShown(!areShown)],
    ["u", "unsure", () => judge({ verdict: "unsure" })],
    ["j", "unusable", () => judge({ verdict: "rejected" })],
  ].filter(([, , , isPossible]) => isPossible !== null);
  useKeys({
    1: { label: "… mark a box by its number", run: () => digits.press("1") },
    ...Object.fromEntries([..."23456789"].map((key) => [key, { label: null, run: () => digits.press(key) }])),
    ...Object.fromEntries(keyed.map(([key, label, run]) => [key, { label, run }])),
    n: { label: "look at the next box", run: look },
    "+": { label: null, run: () => zoom(1.5) },
    "=": { label: null, run: () => zoom(1.5) },
    "-": { label: null, run: () => zoom(1 / 1.5) },
    0: { label: "whole picture", run: () => (digits.isWaiting() ? digits.press("0") : reset()) },
  });

  const says = digits.typed
    ? h("span", { className: "bw-mark" }, `box ${digits.typed}…`)
    : missed
      ? h("span", { className: "bw-warn" }, "no box there")
      : advice.length
        ? h("span", { className: "bw-warn" }, advice.map((check) => check.reason).join("; "))
        : h("span", { className: "bw-muted" }, `${marks.length} of ${boxes.length} marked`);
  return h(
    React.Fragment,
    null,
    h("style", null, css),
    h(
      "div",
      { className: "bw-column", style: { gap: 2 } },
      h("h3", null, `turn ${shown.turn} of ${shown.turns}`),
      h("h2", null, "What may still be meant by ", h("span", { className: "bw-value" }, `“${shown.first_utterance}”`), "?"),
    ),
    h(Chat, { h, React, shown }),
    h(Stage, {
      h, React, shown, marks, hovered, setHovered, view, setView, point, press,
      boxes: areShown ? boxes : [],
      src: media(shown.picture),
    }),
    h(
      "div",
      { className: "bw-cs-foot" },
      h(Chips, { h, boxes, marks, hovered, setHovered, toggle }),
      h("div", { className: "bw-small bw-cs-says", role: "status" }, says),
      h(
        "div",
        { className: "bw-row" },
        keyed.map(([key, label, run]) =>
          h(
            "button",
            { key, className: key === "Enter" ? "bw-button bw-yes" : "bw-button bw-small", onClick: run },
            label,
            h("kbd", { className: "bw-key" }, key === "Enter" ? "↵" : key),
          ),
        ),
      ),
    ),
  );
}
