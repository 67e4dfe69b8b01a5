"use strict";
// A sheet: shows one task at a time, takes what the auditor decides, keeps it in the browser and
// gives it out as a CSV.
(() => {
  const $ = (id) => document.getElementById(id);
  const sheet = JSON.parse($("sheet").textContent);
  const blocks = [...$("data").children];
  const tasks = blocks.filter((one) => one.dataset.task).map((one) => JSON.parse(one.textContent));
  const pictures = new Map(
    blocks.filter((one) => one.dataset.picture).map((one) => [one.dataset.picture, one]),
  );
  const uri = (name) => pictures.get(name).textContent;
  const SVG = "http://www.w3.org/2000/svg";
  const WORDS = { answer: ["yes", "no", "unsure"], approval: ["confirmed", "rejected", "unsure"] };
  const LABELS = {
    yes: "Yes", no: "No", confirmed: "Confirm", rejected: "Reject", unsure: "Unsure",
  };
  const TONES = { yes: "yes", confirmed: "yes", no: "no", rejected: "no", unsure: "unsure" };
  let [YES, NO, UNSURE] = WORDS.answer; // those of the task that is shown

  function draw(tag, said, text) {
    const node = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(said)) node.setAttribute(name, value);
    if (text !== undefined) node.textContent = text;
    return node;
  }

  // what is decided, kept in the browser under what was shown
  const slot = (task) => `benchwright ${sheet.audit} ${sheet.auditor} ${sheet.blind} ${task.key}`;
  const empty = () =>
    ({ verdict: "", value: "", boxes: null, failed: [], note: "", seconds: 0, at: "", undone: false });
  const answers = new Map();
  let history = []; // keys of the tasks in the order of judging
  let here = 0;
  let since = performance.now();

  function warn(text) {
    $("warning").textContent = text;
    $("warning").hidden = false;
  }

  const NOT_KEPT =
    "This browser keeps nothing for this page: download the CSV before you close it.";

  function restore() {
    for (const task of tasks) {
      let kept = null;
      try {
        kept = JSON.parse(localStorage.getItem(slot(task)));
      } catch {
        warn(NOT_KEPT);
      }
      answers.set(task.key, { ...empty(), ...kept });
    }
    const judged = tasks.filter((task) => answers.get(task.key).verdict);
    history = judged
      .sort((one, other) => (answers.get(one.key).at < answers.get(other.key).at ? -1 : 1))
      .map((task) => task.key);
  }

  function keep(task) {
    try {
      localStorage.setItem(slot(task), JSON.stringify(answers.get(task.key)));
    } catch {
      warn(NOT_KEPT);
    }
    drawProgress();
  }

  const now = () => new Date().toISOString();

  // a change after the verdict is a later judgement
  function change(task, changes) {
    const answer = Object.assign(answers.get(task.key), changes);
    if (answer.verdict) answer.at = now();
    keep(task);
  }

  // moving
  function go(index) {
    if (index < 0 || index >= tasks.length) return;
    here = index;
    since = performance.now();
    show();
  }

  function goOn() {
    const order = [...tasks.keys()];
    const next = [...order.slice(here + 1), ...order.slice(0, here)].find(
      (index) => !answers.get(tasks[index].key).verdict,
    );
    if (next === undefined) show();
    else go(next);
  }

  function refusal(task, verdict, answer) {
    const boxes = answer.boxes ?? [];
    if (verdict === YES && task.boxIds.length && !boxes.length)
      return "Mark each object that may still be meant first.";
    if (task.ticks.length && task.areFaults && verdict === YES && answer.failed.length)
      return "What is ticked as wrong cannot be right: take the ticks away, or press n.";
    if (task.ticks.length && task.areFaults && verdict === NO && !answer.failed.length)
      return "Tick what is wrong first.";
    if (!task.areFaults && verdict === NO) return "Tick what is no good, then press y.";
    if (task.needsNote && verdict === NO && !answer.note.trim())
      return "Say in the note (key /) what is wrong.";
    if (verdict === YES && task.failing.length)
      return `A check fails, which can be mended in the App only: ${task.failing[0]}`;
    return null;
  }

  function judge(verdict, value = "") {
    const task = tasks[here];
    const answer = answers.get(task.key);
    const changes = { boxes: verdict === YES ? marked(task) : null };
    const refused = refusal(task, verdict, { ...answer, ...changes });
    if (refused) {
      $("refused").textContent = refused;
      return;
    }
    const seconds = answer.seconds + (performance.now() - since) / 1000;
    Object.assign(answer, changes, { verdict, value, seconds, at: now(), undone: false });
    history = [...history.filter((key) => key !== task.key), task.key];
    keep(task);
    goOn();
  }

  function undo() {
    const key = history.pop();
    if (key === undefined) return;
    const index = tasks.findIndex((task) => task.key === key);
    Object.assign(answers.get(key), { verdict: "", value: "", at: now(), undone: true });
    keep(tasks[index]);
    go(index);
  }

  // boxes that are ticked: the auditor's own, else those of the turn before, else the proposed ones
  function marked(task) {
    const own = answers.get(task.key).boxes;
    if (own) return own;
    const before = tasks[tasks.indexOf(task) - 1];
    const same = before && before.dialogue !== null && before.dialogue === task.dialogue;
    const carried = same && answers.get(before.key).verdict === YES;
    return carried ? answers.get(before.key).boxes : task.proposed;
  }

  function tick(list, name) {
    return list.includes(name) ? list.filter((one) => one !== name) : [...list, name];
  }

  function tickBox(id) {
    const task = tasks[here];
    const chosen = tick(marked(task), id);
    change(task, { boxes: task.boxIds.filter((one) => chosen.includes(one)) });
    show();
  }

  function tickFailed(name) {
    const task = tasks[here];
    const names = task.ticks.map((one) => one.name);
    const chosen = tick(answers.get(task.key).failed, name);
    change(task, { failed: names.filter((one) => chosen.includes(one)) });
    show();
  }

  // the picture
  function drawWhole(task) {
    const [width, height] = task.size;
    const view = { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "xMidYMin" };
    const svg = draw("svg", { ...view, role: "img" });
    svg.append(draw("image", { href: uri(task.main), width, height }));
    const letters = Math.max(width, height) / 44;
    const chosen = task.boxIds.length ? marked(task) : [];
    task.boxes.forEach((box, index) => {
      const [x, y, w, h] = box.bbox;
      const id = task.boxIds[index];
      const can = task.boxIds.length === task.boxes.length;
      const style = [box.target && "target", can && "can", can && chosen.includes(id) && "ticked"];
      const rect = draw("rect", { x, y, width: w, height: h, class: style.filter(Boolean).join(" ") });
      if (can) rect.addEventListener("click", () => tickBox(id));
      const line = { x: x + letters / 4, y: Math.max(y + letters, letters), "font-size": letters };
      svg.append(rect, draw("text", { ...line, class: box.target ? "target" : "" }, box.label));
    });
    return make("figure", { className: "whole" }, svg);
  }

  function drawSeveral(several) {
    const place = $("picture");
    const columns = Math.min(6, Math.max(3, Math.ceil(Math.sqrt(1.6 * several.length))));
    place.style.setProperty("--columns", columns);
    place.style.setProperty("--rows", Math.ceil(several.length / columns));
    return several.map((one) =>
      make("figure", { className: one.target ? "target" : "" },
        make("img", { src: uri(one.name), alt: "" }),
        make("figcaption", { title: one.text },
          make("b", {}, one.target ? `${one.label} target` : one.label), ` ${one.text}`)));
  }

  function drawPicture(task) {
    const close = task.close.map((name) =>
      make("figure", {}, make("img", { className: "close", src: uri(name), alt: "" }),
        make("figcaption", {}, "the target from near")));
    const several = task.several.length > 0;
    $("picture").className = several ? "grid" : "";
    $("picture").replaceChildren(
      ...(several ? drawSeveral(task.several) : [drawWhole(task), ...close]),
    );
  }

  // choices
  function choice(kind, name, words, key, isOn, tone, run) {
    const input = make("input", { type: kind, name, checked: isOn, onclick: () => run() });
    const hint = key ? make("kbd", {}, key) : null;
    const style = `choice ${isOn ? "on" : ""} ${tone}`;
    return make("label", { className: style }, input, make("span", {}, words), hint);
  }

  const digits = new Map(); // what the keys 1 to 9 do

  function takeKey(key, run) {
    if (!/^[1-9]$/.test(key)) return "";
    digits.set(key, run);
    return key;
  }

  function drawCorrections(task, answer) {
    if (!task.values.length) return [];
    const first = task.values.filter((one) => one.key !== null);
    const offered = first.map(({ key, value }) => {
      const run = () => judge(NO, value);
      const isOn = answer.verdict === NO && answer.value === value;
      return choice("radio", "value", value, takeKey(key, run), isOn, "no", run);
    });
    const rest = task.values.filter((one) => one.key === null).map((one) => one.value);
    const select = make("select", { onchange: (event) => event.target.value && judge(NO, event.target.value) },
      make("option", { value: "" }, "another value"),
      ...rest.map((value) => make("option", { value, selected: answer.value === value }, value)));
    return [
      make("h3", {}, "No, it is"),
      make("div", { className: "values" }, ...offered),
      rest.length ? make("p", { className: "more" }, select) : null,
    ];
  }

  function drawTicks(title, style, names, labels, chosen, run) {
    if (!names.length) return [];
    const drawn = names.map((name, index) => {
      const pick = () => run(name);
      return choice("checkbox", title, labels[index], takeKey(String(digits.size + 1), pick), chosen.includes(name), "", pick);
    });
    return [make("h3", {}, title), make("div", { className: `ticks ${style}` }, ...drawn)];
  }

  function drawJudging(task) {
    const answer = answers.get(task.key);
    digits.clear();
    const isRead = task.kind !== "attributes" && !task.several.length; // before it is judged
    const words = task.boxIds.length ? { ...LABELS, confirmed: "These", rejected: "Unusable" } : LABELS;
    const verdicts = [[YES, "y"], [NO, "n"], [UNSURE, "u"]].map(([verdict, key]) =>
      choice("radio", "verdict", words[verdict], key, answer.verdict === verdict, TONES[verdict],
        () => judge(verdict)));
    const labels = task.boxIds.map((id, index) => task.boxes[index]?.label ?? id);
    const note = make("textarea", { id: "note", rows: 1, maxLength: 4000, value: answer.note,
      placeholder: "note (key /)",
      oninput: (event) => change(task, { note: event.target.value }) });
    $("judging").replaceChildren(
      ...[
        make("h2", {}, task.asked),
        isRead ? drawShown(task.shown) : null,
        ...drawTicks("May still be meant", "boxes", task.boxIds, labels, task.boxIds.length ? marked(task) : [], tickBox),
        ...drawTicks(task.areFaults ? "What is wrong" : "No good", "", task.ticks.map((one) => one.name), task.ticks.map((one) => one.text), answer.failed, tickFailed),
        make("h3", {}, ""),
        make("div", { className: "choices" }, ...verdicts),
        make("p", { className: "refused", id: "refused", role: "alert" }),
        ...drawCorrections(task, answer),
        make("p", { className: "more" }, note),
        make("div", { className: "moves" },
          make("button", { onclick: () => go(here - 1) }, "Previous ", make("kbd", {}, "k")),
          make("button", { onclick: () => go(here + 1) }, "Next ", make("kbd", {}, "j")),
          make("button", { onclick: undo }, "Undo ", make("kbd", {}, "z")),
          task.boxes.length ? make("button", { onclick: hideBoxes }, "Boxes ", make("kbd", {}, "b")) : null),
        isRead ? null : drawShown(task.shown),
        task.form === "approval" && !task.boxIds.length
          ? make("p", { className: "more" }, "Texts cannot be edited here: say in the note what should be changed, or open the audit in the App (review-labels open).")
          : null,
      ].filter((node) => node !== null),
    );
  }

  const hideBoxes = () => $("picture").querySelector("svg")?.classList.toggle("bare");

  // progress
  function drawProgress() {
    const verdicts = tasks.map((task) => answers.get(task.key).verdict);
    const done = verdicts.filter(Boolean).length;
    const first = sheet.first + here;
    $("place").textContent = `task ${first} of ${sheet.total}`;
    $("done").textContent =
      done === tasks.length
        ? `all ${done} judged: download the CSV`
        : `${done} of ${tasks.length} on this page judged`;
    [...$("strip").children].forEach((mark, index) => {
      mark.className = `${TONES[verdicts[index]] ?? ""} ${index === here ? "here" : ""}`;
    });
  }

  function show() {
    const task = tasks[here];
    const asked = document.activeElement?.closest?.("#judging") ? document.activeElement : null;
    asked?.blur();
    [YES, NO, UNSURE] = WORDS[task.form];
    document.body.className = task.kind;
    drawPicture(task);
    drawJudging(task);
    drawProgress();
  }

  // the CSV: as Python's writer makes it, see cells.py
  const RUNS = /^'*\s*[=+\-@＝＋－＠]|^'*[\t\r\n]/;
  const safe = (text) => (RUNS.test(text) ? `'${text}` : text);
  const quoted = (cell) => `"${cell.replaceAll('"', '""')}"`;

  function cellsOf(task) {
    const answer = answers.get(task.key);
    const judged = answer.verdict !== "";
    const said = judged || answer.undone; // what was synced before is taken back by saying so
    return [
      ...task.row,
      answer.undone ? "withdrawn" : answer.verdict,
      safe(answer.value),
      safe(judged ? (answer.boxes ?? []).join(task.separators.boxes) : ""),
      safe(judged ? answer.failed.join(task.separators.failed) : ""),
      safe(answer.note.replaceAll("\0", "")),
      safe(sheet.auditor),
      said ? `UTC ${answer.at.replace("Z", "")}` : "",
      said ? String(Math.max(1, Math.round(answer.seconds))) : "",
    ];
  }

  function download() {
    const lines = [sheet.columns, ...tasks.map(cellsOf)].map((cells) => cells.map(quoted).join(","));
    const blob = new Blob(["\ufeff", lines.join("\r\n"), "\r\n"], { type: "text/csv;charset=utf-8" });
    // of a sheet in several pages each has its own file
    const part = tasks.length === sheet.total ? "" : `-${sheet.first}`;
    const name = `${sheet.audit}-${sheet.auditor}${part}.csv`;
    const link = make("a", { href: URL.createObjectURL(blob), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
    $("kept").textContent = `downloaded ${new Date().toLocaleTimeString()}`;
  }

  // keys
  const KEYS = {
    y: () => judge(YES), n: () => judge(NO), u: () => judge(UNSURE),
    j: () => go(here + 1), k: () => go(here - 1), z: undo, b: hideBoxes,
    "/": () => $("note").focus(),
  };

  // the letter on the key where the layout has no Latin letters
  const keyOf = (event) =>
    event.key.length === 1 && event.key.charCodeAt(0) > 127
      ? event.code.replace(/^(Key|Digit)/, "").toLowerCase()
      : event.key.toLowerCase();

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const target = event.target;
    if (target.matches("textarea, select")) {
      if (event.key === "Escape") target.blur();
      return;
    }
    const key = keyOf(event);
    if (target.matches("input[type=radio]") && key.startsWith("arrow")) event.preventDefault();
    const run = Object.hasOwn(KEYS, key) ? KEYS[key] : digits.get(key);
    if (!run) return;
    event.preventDefault();
    if (!event.repeat) run();
  });

  // time that the page was out of sight does not count
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) since = performance.now();
  });

  restore();
  if (tasks.length > 200) $("strip").className = "many";
  $("strip").append(...tasks.map((task, index) => make("i", { title: task.asked, onclick: () => go(index) })));
  $("download").addEventListener("click", download);
  const open = tasks.findIndex((task) => !answers.get(task.key).verdict);
  go(Math.max(0, open));
})();
