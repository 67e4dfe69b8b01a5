"use strict";
// What a task shows, whatever it is. What others wrote is only ever put in as text.
const { make, drawShown } = (() => {
  function make(tag, said = {}, ...children) {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(said)) {
      if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
      else if (name in node) node[name] = value;
      else node.setAttribute(name, value);
    }
    node.append(...children.filter((child) => child !== null));
    return node;
  }

  // what stands elsewhere on the page, or says nothing to people
  const HIDDEN = new Set([
    "noun", "object", "others", "checklist", "boxes", "proposed", "pictures", "picture", "width",
    "height", "said", "dialogue_id", "scenarios", "barred", "stage", "chain_id", "edit",
    "true_span", "false_span", "variant", "target", "turns",
  ]);
  const isPlain = (value) => typeof value !== "object" || value === null;
  const isBlank = (value) =>
    value === null || value === "" || (typeof value === "object" && !Object.keys(value).length);
  const has = (rows, ...keys) => rows.every((row) => !isPlain(row) && keys.every((key) => key in row));

  function named(key) {
    const words = key.replace(/^is_/, "").replaceAll("_", " ");
    return words.charAt(0).toUpperCase() + words.slice(1);
  }

  const inOneLine = (value) =>
    Object.entries(value)
      .filter(([, each]) => !isBlank(each))
      .map(([key, each]) => `${named(key).toLowerCase()} ${inWords(each)}`)
      .join(" · ");

  function inWords(value) {
    if (value === null) return "";
    if (typeof value === "boolean") return value ? "yes" : "no";
    if (typeof value === "number") return String(Math.round(value * 1000) / 1000);
    if (Array.isArray(value)) return value.map(inWords).join(", ");
    if (typeof value === "object") return inOneLine(value);
    return String(value);
  }

  function drawTable(rows) {
    const keys = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter((key) =>
      rows.some((row) => !isBlank(row[key] ?? null)));
    return make("table", {},
      make("thead", {}, make("tr", {}, ...keys.map((key) => make("th", {}, named(key))))),
      make("tbody", {}, ...rows.map((row) =>
        make("tr", {}, ...keys.map((key) => make("td", {}, inWords(row[key] ?? null)))))));
  }

  // of a dialogue, the lines from ``old`` on are new in this turn
  const drawSaid = (lines, old) =>
    make("div", {}, ...lines.map((line, index) =>
      make("p", { className: index >= old ? "said new" : "said" },
        make("b", {}, `${line.speaker}: `), String(line.text))));

  const drawMarked = (before, words, after) =>
    make("span", {}, before, words ? make("mark", {}, words) : null, after);

  // a span counts code points, first and past the last
  function drawSpan(text, span) {
    const letters = [...text];
    const part = (from, to) => letters.slice(from, to).join("");
    return span
      ? drawMarked(part(0, span[0]), part(...span), part(span[1]))
      : make("span", {}, text);
  }

  const drawQuestions = (questions) =>
    make("ol", {}, ...questions.map((one) =>
      make("li", { className: one.is_false ? "false" : "", title: one.true },
        one.is_false ? drawSpan(one.asked, one.span) : make("span", {}, one.asked))));

  const drawChecks = (checks) =>
    make("span", { className: "refused" },
      checks.map((check) => `${check.name}: ${check.reason}`).join("\n"));

  function drawSteps(steps) {
    const options = (number, letter, texts) =>
      make("small", {}, texts.map((text, at) => `${number}/${letter}${at + 1} ${text}`).join("\n"));
    return make("ol", {}, ...steps.map((step, index) =>
      make("li", {},
        make("b", {}, step.question), " ", make("span", {}, step.answer),
        step.uses.length ? make("small", {}, `uses the answers of ${step.uses.join(", ")}`) : null,
        options(index + 1, "q", step.question_options.map((one) =>
          one.origin === "true" ? `${one.text} (true)` : one.text)),
        options(index + 1, "a", step.answer_options.map((text) =>
          text === step.answer ? `${text} (true)` : text)))));
  }

  function drawList(values, shown) {
    if (has(values, "speaker", "text")) return drawSaid(values, shown.said ?? values.length);
    if (has(values, "asked", "span")) return drawQuestions(values);
    if (has(values, "question", "answer", "uses")) return drawSteps(values);
    if (has(values, "type", "value") && Object.keys(values[0]).length === 2)
      return make("span", {}, values.map((one) => `${one.type} ${one.value}`).join(" · "));
    return values.some(isPlain) ? make("span", {}, inWords(values)) : drawTable(values);
  }

  function drawValue(key, value, shown) {
    if (key === "true_description") return drawSpan(value, shown.true_span);
    if (key === "false_description") return drawSpan(value, shown.false_span);
    if (key === "question" && Array.isArray(value)) return drawMarked(...value);
    if (key === "turn" && shown.turns) return make("span", {}, `${value} of ${shown.turns}`);
    if (key === "checks") return drawChecks(value.filter((check) => !check.passed));
    if (Array.isArray(value)) return drawList(value, shown);
    const isFlat = isPlain(value) || Object.values(value).every(isPlain);
    return isFlat ? make("span", {}, inWords(value)) : drawShown(value);
  }

  function drawShown(shown) {
    const list = make("dl", { className: "facts" });
    for (const [key, value] of Object.entries(shown)) {
      if (HIDDEN.has(key) || isBlank(value) || (value === false && key.startsWith("is_"))) continue;
      const drawn = drawValue(key, value, shown);
      if (!drawn.textContent) continue;
      const isLong = drawn.tagName !== "SPAN" || drawn.textContent.length > 60;
      const className = isLong ? "across" : "";
      list.append(make("dt", { className }, named(key)), make("dd", { className }, drawn));
    }
    return list;
  }

  return { make, drawShown };
})();
