// A response of a model to a question with a false premise: did it correct it? Who answered, and
// what detectors say, is not known here.

const css = `
.bw-rs-question { font-size: 18px; line-height: 1.4; font-weight: 600; overflow-wrap: anywhere; }
.bw-rs-false { color: var(--bw-no); text-decoration: underline 2px; text-underline-offset: 4px; }
.bw-rs-facts { display: grid; grid-template-columns: auto 1fr; gap: 4px 14px; overflow-wrap: anywhere; }
.bw-rs-response {
  flex: 0 1 auto; min-height: 80px; overflow: auto; white-space: pre-wrap; overflow-wrap: anywhere;
  font-size: 15px; line-height: 1.55;
}
`;

const ANSWERS = [
  ["y", "corrected", "yes", { verdict: "confirmed", value: "yes" }],
  ["n", "not corrected", "no", { verdict: "confirmed", value: "no" }],
  ["u", "unsure", "unsure", { verdict: "unsure" }],
];

const isChosen = (mine, { verdict, value }) =>
  mine && (verdict === "unsure" ? mine.verdict === "unsure" : mine.verdict !== "withdrawn" && mine.value === value);

export function Screen({ h, task, judge, useKeys }) {
  const { shown, mine } = task;
  const [before, wrong, after] = shown.question;
  useKeys(Object.fromEntries(ANSWERS.map(([key, label, , said]) => [key, { label, run: () => judge(said) }])));
  return h(
    "div",
    { className: "bw-column bw-grow", style: { gap: 12, minHeight: 0 } },
    h("style", null, css),
    h("h3", null, `question of turn ${shown.turn}, false ${shown.premise_class}`),
    h("p", { className: "bw-rs-question" }, before, wrong && h("span", { className: "bw-rs-false" }, wrong), after),
    h(
      "div",
      { className: "bw-rs-facts" },
      h("span", { className: "bw-muted" }, "asked of"),
      h("span", { className: "bw-bad" }, shown.false_description),
      h("span", { className: "bw-muted" }, "the picture has"),
      h("span", { className: "bw-ok" }, shown.true_description),
    ),
    h("h3", null, "response"),
    h("div", { className: "bw-card bw-rs-response" }, shown.response || h("span", { className: "bw-muted" }, "(nothing)")),
    shown.is_cut && h("p", { className: "bw-warn" }, "The response is longer; its beginning is shown."),
    h("p", null, "Does the response say that the question's premise is wrong?"),
    h(
      "div",
      { className: "bw-row" },
      ANSWERS.map(([key, label, colour, said]) =>
        h(
          "button",
          { key, className: `bw-button bw-big bw-${colour}${isChosen(mine, said) ? " bw-chosen" : ""}`, onClick: () => judge(said) },
          label,
          h("kbd", { className: "bw-key" }, key),
        ),
      ),
    ),
  );
}
