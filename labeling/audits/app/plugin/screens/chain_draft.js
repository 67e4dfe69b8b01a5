// A chain as its editor holds it. Each step has a key that stays its own, and ``uses`` names steps
// by their keys: a step may move or go, and what the others use stays what it was.

let last = 0;
const named = (fields) => ({ key: (last += 1), ...fields });

const wrongQuestion = (option = {}) => named({ isTrue: false, answer: "", origin: "step", generator: null, text: "", ...option });
const wrongAnswer = (text = "") => named({ isTrue: false, text });

// the first that is said to be true stands for the question itself; where none is, it comes first
function questionRows(step) {
  const at = step.question_options.findIndex(({ origin }) => origin === "true");
  const rows = step.question_options.map((option, place) =>
    place === at
      ? named({ isTrue: true })
      : wrongQuestion({ ...option, answer: option.answer ?? "", origin: option.origin === "true" ? "step" : option.origin }),
  );
  return at < 0 ? [named({ isTrue: true }), ...rows] : rows;
}

function answerRows(step) {
  const at = step.answer_options.indexOf(step.answer);
  const rows = step.answer_options.map((text, place) => (place === at ? named({ isTrue: true }) : wrongAnswer(text)));
  return at < 0 ? [named({ isTrue: true }), ...rows] : rows;
}

export function toDraft(parts) {
  const steps = parts.steps.map((step) =>
    named({ question: step.question, answer: step.answer, questions: questionRows(step), answers: answerRows(step) }),
  );
  const keyOf = (number) => steps[number - 1]?.key;
  return {
    category: parts.category,
    scenario: parts.scenario,
    question: parts.question,
    steps: steps.map((step, at) => ({
      ...step,
      uses: [...new Set(parts.steps[at].uses.map(keyOf))].filter((key) => key !== undefined),
    })),
  };
}

const isBlank = (text) => text.trim() === "";
const isFilled = (row) => row.isTrue || !isBlank(row.text) || !isBlank(row.answer ?? "");

// rows that nobody filled in are not sent
export function toParts(draft) {
  const numbers = new Map(draft.steps.map(({ key }, at) => [key, at + 1]));
  return {
    category: draft.category,
    scenario: draft.scenario,
    question: draft.question,
    steps: draft.steps.map(({ question, answer, uses, questions, answers }) => ({
      question,
      answer,
      uses: uses.map((key) => numbers.get(key)).sort((one, other) => one - other),
      question_options: questions.filter(isFilled).map((row) =>
        row.isTrue
          ? { text: question, answer, origin: "true", generator: null }
          : { text: row.text, answer: isBlank(row.answer) ? null : row.answer, origin: row.origin, generator: row.generator },
      ),
      answer_options: answers.filter(isFilled).map((row) => (row.isTrue ? answer : row.text)),
    })),
  };
}

export const withSteps = (draft, steps) => ({ ...draft, steps });

export const changed = (draft, key, fields) =>
  withSteps(draft, draft.steps.map((step) => (step.key === key ? { ...step, ...fields } : step)));

export function moved(draft, from, to) {
  if (to < 0 || to >= draft.steps.length) return draft;
  const steps = draft.steps.filter((_, at) => at !== from);
  steps.splice(to, 0, draft.steps[from]);
  return withSteps(draft, steps);
}

export function removed(draft, at) {
  const { key } = draft.steps[at];
  const left = draft.steps.filter((step) => step.key !== key);
  return withSteps(draft, left.map((step) => ({ ...step, uses: step.uses.filter((used) => used !== key) })));
}

// a new step has room for two distractors of each kind
export function inserted(draft, at) {
  const step = named({
    question: "",
    answer: "",
    uses: [],
    questions: [named({ isTrue: true }), wrongQuestion(), wrongQuestion()],
    answers: [named({ isTrue: true }), wrongAnswer(), wrongAnswer()],
  });
  const steps = [...draft.steps];
  steps.splice(at, 0, step);
  return withSteps(draft, steps);
}

export function toggled(draft, at, number) {
  const used = draft.steps[number - 1]?.key;
  const { key, uses } = draft.steps[at];
  if (used === undefined || used === key) return draft;
  return changed(draft, key, { uses: uses.includes(used) ? uses.filter((each) => each !== used) : [...uses, used] });
}

const ROWS = { questions: wrongQuestion, answers: wrongAnswer };

export const withRow = (draft, step, kind) => changed(draft, step.key, { [kind]: [...step[kind], ROWS[kind]()] });

export const withoutRow = (draft, step, kind, key) =>
  changed(draft, step.key, { [kind]: step[kind].filter((row) => row.key !== key) });

export const changedRow = (draft, step, kind, key, fields) =>
  changed(draft, step.key, { [kind]: step[kind].map((row) => (row.key === key ? { ...row, ...fields } : row)) });
