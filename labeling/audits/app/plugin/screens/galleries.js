// A gallery of look-alike pictures, one of them the target: is it a good one?

const css = `
.bw-gl-facts { flex: none; display: flex; flex-wrap: wrap; gap: 2px 14px; font-size: 13px; color: var(--bw-soft); }
.bw-gl-facts b { color: var(--bw-text); font-weight: 600; }
.bw-gl-values { flex: none; display: flex; flex-wrap: wrap; gap: 4px; max-height: 48px; overflow: auto; }
.bw-gl-value { padding: 0 7px; border: 1px solid var(--bw-line); border-radius: 5px; background: transparent;
  color: var(--bw-text); font: inherit; font-size: 12px; line-height: 20px; cursor: pointer; }
.bw-gl-value[aria-pressed=true] { border-color: var(--bw-accent); }
.bw-gl-value:disabled { color: var(--bw-soft); cursor: default; }
.bw-gl-room { position: relative; flex: 1; min-height: 180px; }
.bw-gl-grid { position: absolute; inset: 0; display: grid; gap: 4px; }
.bw-gl-cell { position: relative; min-width: 0; min-height: 0; padding: 0; border: 0; border-radius: 4px;
  background: #000; overflow: hidden; cursor: zoom-in; color: var(--bw-soft); font: inherit; font-size: 12px; line-height: 1.3; }
.bw-gl-cell img { position: absolute; inset: 0; width: 100%; height: 100%; object-fit: contain; }
.bw-gl-cell[data-dim=true] img { opacity: 0.25; }
.bw-gl-ring { position: absolute; inset: 0; border-radius: 4px; box-shadow: inset 0 0 0 1px var(--bw-line); }
.bw-gl-cell[data-large=true] .bw-gl-ring { box-shadow: inset 0 0 0 2px #fff; }
.bw-gl-cell[data-target=true] .bw-gl-ring { box-shadow: inset 0 0 0 3px var(--bw-accent); }
.bw-gl-number, .bw-gl-similar { position: absolute; padding: 0 5px; border-radius: 4px; background: rgb(0 0 0 / 0.75);
  color: #fff; font-size: 12px; font-weight: 600; line-height: 18px; }
.bw-gl-number { top: 3px; left: 3px; }
.bw-gl-cell[data-target=true] .bw-gl-number { background: var(--bw-accent); color: #000; }
.bw-gl-similar { right: 3px; bottom: 3px; font-weight: 400; }
.bw-gl-large { position: absolute; top: 0; bottom: 0; width: calc(50% - 2px); display: flex; flex-direction: column; gap: 8px;
  padding: 8px; border: 1px solid var(--bw-soft); border-radius: 6px; background: var(--fo-palette-background-level1, #202020);
  box-shadow: 0 4px 24px rgb(0 0 0 / 0.6); pointer-events: none; }
.bw-gl-large img { flex: 1; min-height: 0; width: 100%; object-fit: contain; background: #000; border-radius: 4px; }
.bw-gl-told { flex: none; display: grid; grid-template-columns: auto 1fr 1fr; gap: 0 12px; max-height: 50%; overflow: hidden;
  font-size: 13px; line-height: 18px; }
.bw-gl-foot { flex: none; display: flex; flex-wrap: wrap; gap: 8px 16px; align-items: center; justify-content: space-between; }
.bw-gl-checks { display: grid; grid-template-columns: auto auto; gap: 4px 14px; }
.bw-gl-check { display: flex; gap: 7px; align-items: center; cursor: pointer; font-size: 13px; }
.bw-gl-check input { margin: 0; accent-color: var(--bw-no); }
`;

const GAP = 4;
const same = (one, other) => one.type === other.type && one.value === other.value;
const inWords = ({ type, value }) => `${type} ${value}`;

// by type: the values that the picture has and the target has not, and the other way round
function contrasts(told) {
  const types = new Map();
  for (const { type, value, has } of told) {
    if (!types.has(type)) types.set(type, { type, here: [], target: [] });
    types.get(type)[has ? "here" : "target"].push(value);
  }
  return [...types.values()];
}

const median = (numbers) => [...numbers].sort((one, other) => one - other)[numbers.length >> 1];

// the number of columns at which pictures of this shape, width over height, are largest
function columnsFor(count, shape, { width, height }) {
  let best = { columns: 1, size: 0 };
  for (let columns = 1; columns <= count; columns += 1) {
    const rows = Math.ceil(count / columns);
    const across = (width - GAP * (columns - 1)) / columns;
    const down = (height - GAP * (rows - 1)) / rows;
    const size = Math.min(across, down * shape);
    if (size > best.size) best = { columns, size };
  }
  return best.columns;
}

function useRoom(React, room) {
  const [size, setSize] = React.useState({ width: 600, height: 400 });
  React.useLayoutEffect(() => {
    const measure = () => setSize({ width: room.current.clientWidth, height: room.current.clientHeight });
    const observer = new ResizeObserver(measure);
    observer.observe(room.current);
    measure();
    return () => observer.disconnect();
  }, []);
  return size;
}

function Facts({ h, shown }) {
  const facts = [
    ["target", h("span", { className: "bw-mark" }, shown.target)],
    ["τ", shown.tau],
    ["pictures", `${shown.pictures.length} of ${shown.pool_size + 1}`],
    ["par", shown.par ?? "none"],
    ["par, a type once", shown.par_protocol ?? "none"],
  ];
  return h(
    "div",
    { className: "bw-gl-facts" },
    facts.map(([name, value]) => h("span", { key: name }, `${name} `, h("b", null, value))),
    shown.identifiable
      ? h("span", { className: "bw-ok" }, "target can be told")
      : h("span", { className: "bw-bad" }, "target cannot be told"),
    shown.identifiable && !shown.identifiable_protocol &&
      h("span", { className: "bw-warn" }, "but not with each type asked once"),
    shown.is_stale && h("span", { className: "bw-warn" }, "labels changed since it was made"),
  );
}

// what tells the target from others, and the rest of its values; a pressed one dims those it does not tell
function Values({ h, React, shown, lit, setLit }) {
  const pressed = React.useRef(null);
  React.useEffect(() => {
    pressed.current?.scrollIntoView({ block: "nearest" });
  }, [lit]);
  const rest = shown.target_values.filter((value) => !shown.telling.some((each) => same(each, value)));
  return h(
    "div",
    { className: "bw-gl-values" },
    shown.telling.map((each, at) =>
      h(
        "button",
        {
          key: inWords(each),
          ref: at === lit ? pressed : null,
          className: "bw-gl-value",
          "aria-pressed": at === lit,
          title: `the target: ${each.answer}; tells ${each.distractors} apart`,
          onClick: () => setLit(at === lit ? null : at),
        },
        h("span", { className: each.answer === "yes" ? "bw-ok" : "bw-bad" }, each.answer === "yes" ? "✓ " : "✗ "),
        inWords(each),
        h("span", { className: "bw-muted" }, ` ${each.distractors}`),
      ),
    ),
    rest.map((value) => h("button", { key: inWords(value), className: "bw-gl-value", disabled: true, title: "tells no picture apart" }, inWords(value))),
  );
}

function Cell({ h, each, src, isTarget, isLarge, isDim, look }) {
  return h(
    "button",
    {
      className: "bw-gl-cell",
      "data-target": isTarget,
      "data-large": isLarge,
      "data-dim": isDim,
      onMouseEnter: look,
      onFocus: look,
    },
    src ? h("img", { src, alt: each.title }) : each.title,
    h("span", { className: "bw-gl-ring" }),
    h("span", { className: "bw-gl-number" }, each.number),
    !isTarget && h("span", { className: "bw-gl-similar" }, each.similarity.toFixed(2)),
  );
}

// beside the pointer, never under it: on the half where the small picture is not
function Large({ h, each, src, isTarget, isLeft }) {
  return h(
    "div",
    { className: "bw-gl-large", style: isLeft ? { left: 0 } : { right: 0 } },
    h("div", { className: "bw-small" }, h("b", null, `${each.number} `), each.title),
    src && h("img", { src, alt: each.title }),
    isTarget
      ? h("p", { className: "bw-mark" }, "the target")
      : each.told_by.length
        ? h(
            "div",
            { className: "bw-gl-told" },
            h("h3", null, "told by"), h("h3", null, "here"), h("h3", null, "target"),
            contrasts(each.told_by).flatMap(({ type, here, target }) => [
              h("span", { key: type, className: "bw-muted" }, type),
              h("span", { key: `${type} here` }, here.join(", ") || "–"),
              h("span", { key: `${type} target` }, target.join(", ") || "–"),
            ]),
          )
        : h("p", { className: "bw-bad" }, "no question tells it from the target"),
  );
}

function Grid({ h, React, shown, media, large, setLarge, lit }) {
  const room = React.useRef(null);
  const size = useRoom(React, room);
  const { pictures, target } = shown;
  const shape = median(pictures.map((each) => (each.width && each.height ? each.width / each.height : 1)));
  const columns = columnsFor(pictures.length, shape, size);
  const rows = Math.ceil(pictures.length / columns);
  const src = (each) => (each.picture ? media(each.picture) : null);
  const isDim = (each) =>
    lit !== null && each.number !== target && !each.told_by.some((value) => same(value, shown.telling[lit]));
  return h(
    "div",
    { className: "bw-gl-room", ref: room, onMouseLeave: () => setLarge(null) },
    h(
      "div",
      {
        className: "bw-gl-grid",
        style: {
          gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`,
          gridTemplateRows: `repeat(${rows}, minmax(0, 1fr))`,
        },
      },
      pictures.map((each, at) =>
        h(Cell, {
          key: each.number,
          h,
          each,
          src: src(each),
          isTarget: each.number === target,
          isLarge: at === large,
          isDim: isDim(each),
          look: () => setLarge(at),
        }),
      ),
    ),
    large !== null &&
      h(Large, {
        h,
        each: pictures[large],
        src: src(pictures[large]),
        isTarget: pictures[large].number === target,
        isLeft: (large % columns) + 1 > columns / 2,
      }),
  );
}

export function Screen({ h, React, task, judge, media, useKeys }) {
  const { shown, mine } = task;
  const { checklist, pictures, telling } = shown;
  const [failed, setFailed] = React.useState(mine?.failed ?? []);
  const [large, setLarge] = React.useState(null);
  const [lit, setLit] = React.useState(null);

  const tick = (name) =>
    setFailed((old) => checklist.filter((each) => (each === name) !== old.includes(each)));
  const step = (by) =>
    setLarge((old) => (old === null ? (by > 0 ? 0 : pictures.length - 1) : (old + by + pictures.length) % pictures.length));
  const nextValue = () => setLit((old) => (old === null ? 0 : old + 1 < telling.length ? old + 1 : null));

  const verdicts = [
    ["a", "approve", "bw-yes", () => judge({ verdict: "confirmed", failed })],
    ["j", "reject", "bw-no", () => judge({ verdict: "rejected", failed })],
    ["u", "unsure", "bw-unsure", () => judge({ verdict: "unsure", failed })],
  ];
  useKeys({
    ...Object.fromEntries(checklist.map((name, at) => [at + 1, { label: at ? null : "… what is wrong", run: () => tick(name) }])),
    ...Object.fromEntries(verdicts.map(([key, label, , run]) => [key, { label, run }])),
    n: { label: "next picture large", run: () => step(1) },
    b: { label: "back", run: () => step(-1) },
    0: { label: "all pictures", run: () => (setLarge(null), setLit(null)) },
    ...(telling.length ? { t: { label: "what a value tells", run: nextValue } } : {}),
  });

  return h(
    React.Fragment,
    null,
    h("style", null, css),
    h(Facts, { h, shown }),
    h(Values, { h, React, shown, lit, setLit }),
    h(Grid, { h, React, shown, media, large, setLarge, lit }),
    h(
      "div",
      { className: "bw-gl-foot" },
      h(
        "div",
        { className: "bw-gl-checks" },
        checklist.map((name, at) =>
          h(
            "label",
            { key: name, className: "bw-gl-check" },
            h("input", { type: "checkbox", checked: failed.includes(name), onChange: () => tick(name) }),
            h("kbd", { className: "bw-key" }, at + 1),
            h("span", { className: failed.includes(name) ? "bw-bad" : "" }, name),
          ),
        ),
      ),
      h(
        "div",
        { className: "bw-row" },
        verdicts.map(([key, label, className, run]) =>
          h(
            "button",
            {
              key,
              className: `bw-button ${className}`,
              disabled: (key === "a" && failed.length > 0) || (key === "j" && failed.length === 0),
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
