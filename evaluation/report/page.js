"use strict";
const { runs, pictures } = JSON.parse(document.getElementById("data").textContent);
const at = id => document.getElementById(id);
const SVG = "http://www.w3.org/2000/svg";
let run = 0, item = 0, step = 0;

// texts of models go into text nodes alone
function element(tag, className, ...children) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  made.append(...children);
  return made;
}

function fill(select, names, chosen) {
  select.replaceChildren(...names.map((name, number) => {
    const option = element("option", "", name);
    option.value = number;
    return option;
  }));
  select.value = chosen;
}

function image(place, description) {
  const shown = element("img", "");
  shown.src = pictures[place].src;
  shown.alt = description;
  return shown;
}

function outline(drawn, kind) {
  const [x, y, width, height] = drawn.box;
  const box = document.createElementNS(SVG, "rect");
  const sides = { x, y, width: Math.max(0, width), height: Math.max(0, height) };
  Object.entries(sides).forEach(([name, value]) => box.setAttribute(name, value));
  box.setAttribute("class", `box ${kind}`);
  return box;
}

function alone(place, drawn) {
  if (place === null) return [element("p", "note", "The picture is not in the release.")];
  const { width, height } = pictures[place];
  const layer = document.createElementNS(SVG, "svg");
  layer.setAttribute("viewBox", `0 0 ${width} ${height}`);
  layer.setAttribute("preserveAspectRatio", "none");
  layer.append(...drawn.map(one => outline(one, "rim")), ...drawn.map(one => outline(one, one.kind)));
  const kinds = new Set(drawn.map(one => one.kind));
  const words = { true: "true", target: "what is asked about", predicted: "predicted" };
  const legend = element("p", "note");
  for (const kind of ["true", "target", "predicted"]) {
    if (kinds.has(kind)) legend.append(element("span", `swatch ${kind}`), `${words[kind]}  `);
  }
  return [element("div", "alone", image(place, "The picture"), layer), legend];
}

function gallery(shown, left) {
  const stays = new Set(left);
  return [element("div", "gallery", ...shown.image_ids.map((place, index) => {
    const number = index + 1, is = [];
    if (number === shown.target) is.push("target");
    if (!stays.has(number)) is.push("gone");
    if (number === shown.guess && step === shown.steps.length - 1) is.push("guess");
    const says = `#${number}${is.length ? ` ${is.join(", ")}` : ""}`;
    const shot = place === null ? "no picture" : image(place, says);
    return element("div", `shot ${is.join(" ")}`, shot, says);
  }))];
}

function told(one, number) {
  const made = element("li", "", element("h4", "", one.title));
  for (const words of one.words) {
    made.append(element("p", words.is_player ? "player" : "", element("b", "", words.who), words.text || "(nothing)"));
  }
  if (one.options.length) {
    made.append(element("ul", "", ...one.options.map((option, place) => {
      const marks = [option.is_picked ? "picked" : "", option.is_true ? "true" : ""].filter(Boolean);
      const line = element("li", "", `${String.fromCharCode(65 + place)}. ${option.text}`, marks.length ? `  (${marks.join(", ")})` : "");
      line.classList.toggle("picked", option.is_picked);
      line.classList.toggle("is-true", option.is_true);
      return line;
    })));
  }
  if (one.note || one.verdict) {
    made.append(element("span", `verdict ${one.verdict || ""}`, one.note || one.verdict));
  }
  if (number === step) made.setAttribute("aria-current", "step");
  return made;
}

function show() {
  const items = runs[run].items, shown = items[item];
  const disable = (id, is) => { at(id).disabled = is; };
  if (!shown) {
    at("facts").textContent = "Of this run nothing was played to its end.";
    at("where").textContent = "";
    at("pictures").replaceChildren();
    at("steps").replaceChildren();
    ["before", "after", "back", "next"].forEach(id => disable(id, true));
    return;
  }
  const last = shown.steps.length - 1, now = shown.steps[step];
  at("facts").textContent = shown.facts;
  at("where").textContent = `${runs[run].noun} ${item + 1} of ${items.length}, step ${step + 1} of ${last + 1}`;
  disable("before", item === 0);
  disable("after", item === items.length - 1);
  disable("back", step === 0);
  disable("next", step >= last);
  at("pictures").replaceChildren(...(now && now.left !== null ? gallery(shown, now.left) : alone(shown.image_ids[0], now ? now.drawn : [])));
  at("steps").replaceChildren(...shown.steps.slice(0, step + 1).map(told));
  at("steps").scrollTop = at("steps").scrollHeight;
}

function choose(newRun, newItem, newStep) {
  const isOther = newRun !== run;
  run = newRun;
  const items = runs[run].items;
  item = Math.max(0, Math.min(items.length - 1, newItem));
  const steps = items.length ? items[item].steps.length : 0;
  step = Math.max(0, Math.min(steps - 1, newStep));
  if (isOther || !at("item").options.length) fill(at("item"), items.map(one => one.title), item);
  at("item").value = item;
  show();
}

// in another run the same item is looked for
function chooseRun(newRun) {
  const title = (runs[run].items[item] || {}).title;
  choose(newRun, Math.max(0, runs[newRun].items.findIndex(one => one.title === title)), 0);
}

at("run").onchange = () => chooseRun(Number(at("run").value));
at("item").onchange = () => choose(run, Number(at("item").value), 0);
at("before").onclick = () => choose(run, item - 1, 0);
at("after").onclick = () => choose(run, item + 1, 0);
at("back").onclick = () => choose(run, item, step - 1);
at("next").onclick = () => choose(run, item, step + 1);

const KEYS = {
  ArrowLeft: () => choose(run, item, step - 1),
  ArrowRight: () => choose(run, item, step + 1),
  Home: () => choose(run, item, 0),
  End: () => choose(run, item, Infinity),
  p: () => choose(run, item - 1, 0),
  n: () => choose(run, item + 1, 0),
};

function isInSight() {
  const { top, bottom } = at("viewer").getBoundingClientRect();
  return top < innerHeight && bottom > 0;
}

document.addEventListener("keydown", event => {
  const act = KEYS[event.key];
  const isTaken = event.ctrlKey || event.metaKey || event.altKey || event.target.closest("select, .wide");
  if (!act || isTaken || !isInSight()) return;
  event.preventDefault();
  act();
});

fill(at("run"), runs.map(one => one.name), 0);
choose(0, 0, 0);
