// One label of a picture or an object: is it so, and if not, which other value is it.

const SIGNS = { yes: ["✓", "bw-ok"], no: ["✗", "bw-bad"], unsure: ["?", "bw-warn"] };
const ABSTAINED = ["–", "bw-muted"];

function Question({ h, shown }) {
  const { question, value } = shown;
  const at = question.toLowerCase().indexOf(value.toLowerCase());
  if (at < 0) {
    return h("h1", null, question, h("span", { className: "bw-value" }, ` (${value})`));
  }
  const end = at + value.length;
  return h(
    "h1",
    null,
    question.slice(0, at),
    h("span", { className: "bw-value" }, question.slice(at, end)),
    question.slice(end),
  );
}

function Choice({ h, choice, className, isChosen }) {
  return h(
    "button",
    { className: `bw-button ${className} ${isChosen ? "bw-chosen" : ""}`, onClick: choice.run },
    choice.text,
    choice.key && h("kbd", { className: "bw-key" }, choice.key),
  );
}

// more values than keys: type a part of it, Enter takes the first
function Search({ h, React, field, values, take }) {
  const [text, setText] = React.useState("");
  const wanted = text.trim().toLowerCase();
  const found = wanted ? values.filter((value) => value.toLowerCase().includes(wanted)) : [];
  const onKeyDown = (event) => {
    if (event.key === "Enter" && found.length) {
      event.preventDefault();
      event.target.blur();
      take(found[0]);
    }
  };
  return h(
    "div",
    { className: "bw-column" },
    h("input", {
      ref: field,
      className: "bw-input",
      value: text,
      placeholder: "another value ( o ), enter takes the first",
      onChange: (event) => setText(event.target.value),
      onKeyDown,
    }),
    h(
      "div",
      { className: "bw-row" },
      found.slice(0, 12).map((value) =>
        h(Choice, {
          key: value,
          h,
          className: "bw-small",
          choice: { text: value, run: () => take(value) },
        }),
      ),
    ),
  );
}

function Votes({ h, votes }) {
  const columns = new Map();
  for (const { template, view } of votes) columns.set(`${view} ${template}`, { template, view });
  const order = [...columns.keys()].sort();
  const voters = [...new Set(votes.map((vote) => vote.voter))].sort();
  const cells = new Map(votes.map((vote) => [`${vote.voter} ${vote.view} ${vote.template}`, vote]));
  const cell = (voter, column) => {
    const vote = cells.get(`${voter} ${column}`);
    if (!vote) return h("td", { key: column });
    const [sign, className] = SIGNS[vote.answer] ?? ABSTAINED;
    return h("td", { key: column, className, title: vote.answer }, sign);
  };
  return h(
    "table",
    { className: "bw-table" },
    h(
      "thead",
      null,
      h(
        "tr",
        null,
        h("th", null, "view and wording"),
        order.map((column) => h("th", { key: column }, column)),
      ),
    ),
    h(
      "tbody",
      null,
      voters.map((voter) =>
        h("tr", { key: voter }, h("td", null, voter), order.map((column) => cell(voter, column))),
      ),
    ),
  );
}

const share = (number) => number.toFixed(2);

function scoreText({ score, score_low: low, score_high: high }) {
  if (low === null || high === null) return null;
  if (score === null) return `share of yes ${share(low)}–${share(high)}`;
  return `share of yes ${share(score)}${low === high ? "" : ` (${share(low)}–${share(high)})`}`;
}

function Machine({ h, machine, votes }) {
  const [, className] = SIGNS[machine.answer] ?? ABSTAINED;
  return h(
    "div",
    { className: "bw-card bw-column" },
    h(
      "div",
      { className: "bw-row" },
      h("h3", null, "the machine"),
      h("strong", { className }, machine.answer),
      h("span", { className: "bw-muted" }, `margin ${share(machine.margin)}`),
      h("span", { className: "bw-muted" }, scoreText(machine)),
    ),
    votes.length > 0 && h(Votes, { h, votes }),
  );
}

export function Screen({ h, React, task, judge, useKeys }) {
  const { shown, mine } = task;
  const field = React.useRef(null);
  const stands = mine && mine.verdict !== "withdrawn" ? mine : null;
  const said = mine?.text ? JSON.parse(mine.text) : {};
  const instead = stands ? (said.value ?? null) : null;

  // what was held in place of the value before may have been taken over: it is withdrawn by name
  const before = [...(said.value ? [said.value] : []), ...(said.no_longer ?? [])];
  const answer = (decision, value = null) => {
    const gone = before.filter((each) => each !== value);
    const text = { ...(value && { value }), ...(gone.length && { no_longer: gone }) };
    return judge({ ...decision, text: Object.keys(text).length ? JSON.stringify(text) : null });
  };
  const correct = (value) => answer({ verdict: "confirmed", value: "no" }, value);
  const answers = [
    { key: "y", text: "yes", run: () => answer({ verdict: "confirmed", value: "yes" }) },
    { key: "n", text: "no", run: () => answer({ verdict: "confirmed", value: "no" }) },
    { key: "u", text: "unsure", run: () => answer({ verdict: "unsure" }) },
  ];
  const others = shown.others.map(({ key, value }) => ({
    key,
    text: value,
    run: () => correct(value),
  }));
  const keyed = others.filter(({ key }) => key !== null);
  const rest = others.filter(({ key }) => key === null).map(({ text }) => text);

  const held = stands && (stands.verdict === "unsure" ? "unsure" : stands.value);
  const entries = answers.map(({ key, text, run }) => [key, { label: text, run }]);
  const corrections = keyed.map(({ key, run }) => [key, { label: null, run }]);
  const toSearch = { label: "another value", run: () => field.current.focus() };
  const search = rest.length ? [["o", toSearch]] : [];
  useKeys(Object.fromEntries([...entries, ...corrections, ...search]));

  return h(
    React.Fragment,
    null,
    h(
      "div",
      { className: "bw-column" },
      h("h3", null, shown.object ? `${shown.type} of the ${shown.noun} in the box` : shown.type),
      h(Question, { h, shown }),
    ),
    h(
      "div",
      { className: "bw-row" },
      answers.map((choice) =>
        h(Choice, {
          key: choice.key,
          h,
          choice,
          className: `bw-big bw-${choice.text}`,
          isChosen: instead === null && held === choice.text,
        }),
      ),
    ),
    others.length > 0 &&
      h(
        "div",
        { className: "bw-column bw-alternatives" },
        h("h3", null, "no, it is"),
        h(
          "div",
          { className: "bw-row" },
          keyed.map((choice) =>
            h(Choice, {
              key: choice.text,
              h,
              choice,
              className: "",
              isChosen: instead === choice.text,
            }),
          ),
        ),
        rest.length > 0 && h(Search, { h, React, field, values: rest, take: correct }),
      ),
    shown.machine && h(Machine, { h, machine: shown.machine, votes: shown.votes }),
  );
}
