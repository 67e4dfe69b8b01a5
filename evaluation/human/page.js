"use strict";
const at = (id) => document.getElementById(id);
let shown = null; // the number of the sheet on the screen
let boxes = []; // that were drawn, [x1, y1, x2, y2] in thousandths
let chosen = []; // numbers of listed boxes
let sent = null; // the number of the sheet whose answer is on its way, or there

async function look() {
  let state;
  try {
    state = await (await fetch("/current")).json();
  } catch {
    at("form").hidden = true;
    at("waiting").hidden = true;
    at("lost").hidden = !at("done").hidden;
    setTimeout(look, 2000);
    return;
  }
  at("lost").hidden = true;
  at("title").textContent = state.title;
  at("progress").textContent = `${state.answered} answered`;
  const sheet = state.sheet;
  at("done").hidden = !state.is_closed;
  at("waiting").hidden = sheet !== null || state.is_closed;
  if (sheet === null) {
    shown = null;
    at("form").hidden = true;
  } else if (sheet.number !== shown) {
    show(sheet, state.tool);
  }
  if (!state.is_closed) setTimeout(look, 400);
}

function show(sheet, tool) {
  shown = sheet.number;
  boxes = [];
  chosen = [];
  at("answer").value = "";
  const talk = at("talk");
  const listed = tool === "boxes" ? listedIn(saidLast(sheet)) : [];
  const isGuessing = tool === "guess" && !isUploading(sheet);
  talk.replaceChildren(...sheet.messages.map((said, place) => {
    const line = document.createElement("li");
    line.className = said.role;
    if (place === sheet.messages.length - 1) line.classList.add("now");
    let number = null;
    for (const part of said.parts) {
      if (part.picture === undefined) {
        number = /Picture (\d+):\s*$/.exec(part.text)?.[1] ?? null;
        const text = number === null ? part.text : part.text.replace(/Picture \d+:\s*$/, "");
        // the picture before it ends its line already
        line.append(line.lastElementChild?.classList.contains("alone") ? text.replace(/^\n/, "") : text);
      } else {
        const frame = picture(part.picture, number, isGuessing);
        if (tool === "boxes") listed.length ? outline(frame, listed) : draw(frame);
        else enlarge(frame);
        line.append(frame);
        number = null;
      }
    }
    return line;
  }));
  quick(sheet, tool, listed);
  at("form").hidden = false;
  talk.lastElementChild?.scrollIntoView({ block: "nearest" });
  if (tool !== "options") at("answer").focus({ preventScroll: true });
}

function picture(uri, number, isGuessing) {
  const frame = document.createElement("span");
  frame.className = number === null ? "picture alone" : "picture";
  const image = document.createElement("img");
  image.src = uri;
  image.alt = number === null ? "Picture" : `Picture ${number}`;
  image.draggable = false;
  frame.append(image);
  if (number !== null) {
    const caption = document.createElement("span");
    caption.className = "caption";
    caption.textContent = `Picture ${number}`;
    frame.append(caption);
  }
  if (isGuessing && number !== null) {
    const guess = document.createElement("button");
    guess.type = "button";
    guess.textContent = `Guess #${number}`;
    guess.addEventListener("click", () => fill(`My guess: #${number}`));
    frame.append(guess);
  }
  return frame;
}

function enlarge(frame) {
  const image = frame.querySelector("img");
  image.addEventListener("click", () => {
    at("large").querySelector("img").src = image.src;
    at("large").showModal();
  });
}

function place(mark, [x1, y1, x2, y2]) { // in thousandths
  Object.assign(mark.style, {
    left: `${Math.min(x1, x2) / 10}%`,
    width: `${Math.abs(x2 - x1) / 10}%`,
    top: `${Math.min(y1, y2) / 10}%`,
    height: `${Math.abs(y2 - y1) / 10}%`,
  });
}

function listedIn(text) { // boxes to choose from, each with its number
  return [...text.matchAll(/^(\d+)\. \[([-\d.]+(?:, [-\d.]+){3})\]$/gm)].map(
    ([, number, sides]) => ({ number: Number(number), sides: sides.split(", ").map(Number) }));
}

function outline(frame, listed) {
  frame.classList.add("marked", "listed");
  for (const { number, sides } of listed) {
    const mark = document.createElement("span");
    mark.className = "box";
    mark.dataset.number = number;
    place(mark, sides);
    frame.append(mark);
  }
}

function choose(number, button) {
  chosen = chosen.includes(number) ? chosen.filter((one) => one !== number) : [...chosen, number];
  const isChosen = chosen.includes(number);
  button.setAttribute("aria-pressed", isChosen);
  document.querySelector(`.box[data-number="${number}"]`)?.classList.toggle("chosen", isChosen);
  at("answer").value = chosen.length ? JSON.stringify(chosen) : "";
}

function draw(frame) {
  const image = frame.querySelector("img");
  frame.classList.add("marked");
  let start = null;
  let rubber = null;
  const spot = (event) => {
    const area = image.getBoundingClientRect();
    const inside = (value, size) => Math.max(0, Math.min(1000, Math.round(1000 * value / size)));
    return [inside(event.clientX - area.left, area.width), inside(event.clientY - area.top, area.height)];
  };
  image.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || start !== null) return;
    start = spot(event);
    rubber = document.createElement("span");
    rubber.className = "box";
    frame.append(rubber);
    image.setPointerCapture(event.pointerId);
  });
  image.addEventListener("pointermove", (event) => {
    if (start !== null) place(rubber, [...start, ...spot(event)]);
  });
  image.addEventListener("pointercancel", () => {
    if (start !== null) rubber.remove();
    start = null;
  });
  image.addEventListener("pointerup", (event) => {
    if (start === null) return;
    const [x1, y1] = start;
    const [x2, y2] = spot(event);
    start = null;
    if (Math.abs(x2 - x1) < 5 || Math.abs(y2 - y1) < 5) { // a slip of the hand
      rubber.remove();
      return;
    }
    place(rubber, [x1, y1, x2, y2]);
    boxes.push([Math.min(x1, x2), Math.min(y1, y2), Math.max(x1, x2), Math.max(y1, y2)]);
    at("answer").value = JSON.stringify(boxes);
  });
}

function saidLast(sheet) {
  return (sheet.messages.at(-1)?.parts ?? []).map((part) => part.text ?? "").join("\n");
}

function quick(sheet, tool, listed) {
  const row = at("quick");
  row.replaceChildren();
  at("how").textContent = "";
  const button = (text, act) => {
    const made = document.createElement("button");
    made.type = "button";
    made.textContent = text;
    made.addEventListener("click", act);
    row.append(made);
    return made;
  };
  if (tool === "options") {
    for (const [, letter, text] of saidLast(sheet).matchAll(/^([A-Z])\. (.+)$/gm)) {
      button(`${letter}. ${text}`, () => send(letter));
    }
  } else if (listed.length) {
    at("how").textContent = "Choose the numbers of the boxes in the picture that may be meant.";
    for (const { number } of listed) {
      const made = button(`${number}`, () => choose(number, made));
      made.setAttribute("aria-pressed", "false");
    }
    button("None", () => send("[]"));
  } else if (tool === "boxes") {
    at("how").textContent = "Drag over the picture to draw a box for each object.";
    button("Take the last box back", () => {
      const marks = document.querySelectorAll(".box");
      marks[marks.length - 1]?.remove();
      boxes.pop();
      at("answer").value = boxes.length ? JSON.stringify(boxes) : "";
    });
    button("None", () => send("[]"));
  } else if (tool === "guess" && isUploading(sheet)) {
    button("Seen", () => send("Seen."));
  }
}

function isUploading(sheet) { // what ends with the signal is the last batch
  const hasPictures = sheet.messages.at(-1)?.parts.some((part) => part.picture !== undefined);
  return Boolean(hasPictures) && !/End of uploading\s*$/.test(saidLast(sheet));
}

function fill(text) {
  at("answer").value = text;
  at("answer").focus();
}

async function send(text) {
  if (shown === null || shown === sent) return;
  const number = shown;
  sent = number;
  at("form").hidden = true; // at once: the next one may be there before we hear
  try {
    await fetch("/answer", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ number, text }),
    });
  } catch {
    if (shown !== number) return;
    sent = null; // it did not arrive, and can be sent again
    at("form").hidden = false;
  }
}

at("form").addEventListener("submit", (event) => {
  event.preventDefault();
  const text = at("answer").value.trim();
  if (text) send(text);
});
at("answer").addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) at("form").requestSubmit();
});
at("large").addEventListener("click", () => at("large").close());
document.addEventListener("keydown", (event) => {
  if (event.target === at("answer") || event.ctrlKey || event.metaKey || event.altKey) return;
  const wanted = [...at("quick").children].find((one) => one.textContent.startsWith(`${event.key.toUpperCase()}. `));
  wanted?.click();
});
look();
