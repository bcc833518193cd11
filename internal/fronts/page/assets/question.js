// Questions: before a worked example, what it will show; and at the beginning of a lesson, one question of an earlier
// lesson. A click on an answer is the answer. Two kinds are written: an explanation, and a line from memory.

import { element, spoken } from './words.js';
import { showDisplay } from './cells.js';

const letters = 'abcd';

// buttons shows the answers of a question as buttons, which call answered with a letter.
const buttons = (place, answers, answered) => {
  place.replaceChildren(...answers.map((words, i) => {
    const button = element('button', { type: 'button' }, ...spoken(words));
    button.onclick = () => {
      for (const other of place.children) other.setAttribute('aria-pressed', other === button);
      answered(letters[i]);
    };
    return button;
  }));
};

// show shows what the judge says about an answer.
const show = (shown, { displays: [display] }) => {
  const made = element('div');
  showDisplay(made, display);
  shown.replaceChildren(made);
};

// runNext runs the worked example after a question, if the page can.
const runNext = ({ nextElementSibling: next }) => next?.matches('.go, .picture') && next.querySelector('.start')?.onclick();

// setUpPrediction makes the answers of a prediction work. ask sends a request to the judge. Once there is an answer, the
// example runs, and then the reasons unfold.
export const setUpPrediction = (section, ask) => {
  const { predict: exercise, answers } = section.dataset, shown = section.querySelector('.shown');
  buttons(section.querySelector('.answers'), JSON.parse(answers), async (answer) => {
    const told = await ask({ do: 'predict', exercise, answer }, shown);
    if (!told) return;
    show(shown, told);
    await runNext(section);
    shown.querySelector('details').open = true;
  });
};

// setUpRecall makes the question that begins a lesson work. The judge chooses it once the visitor opens it.
export const setUpRecall = (section, ask) => {
  const shown = section.querySelector('.shown'), lesson = Number(section.dataset.recall);
  const answered = async (answer) => {
    const told = await ask({ do: 'recall', lesson, answer }, shown);
    if (told && answer) show(shown, told);
    return told;
  };
  section.querySelector('details').addEventListener('toggle', async () => {
    shown.textContent = 'Choosing a question…';
    const told = await answered('');
    if (!told) return;
    shown.replaceChildren();
    section.querySelector('.asks').replaceChildren(...spoken(told.asked.question));
    const code = section.querySelector('pre');
    code.hidden = !(code.textContent = told.asked.code ?? '');
    buttons(section.querySelector('.answers'), told.asked.answers, answered);
  }, { once: true });
};

// setUpWriting makes a field for an explanation or a line work. The judge keeps the answer. Enter sends a line.
export const setUpWriting = (section, ask) => {
  const field = section.querySelector('textarea'), shown = section.querySelector('.shown');
  const send = async () => {
    const told = await ask({ ...JSON.parse(section.dataset.ask), answer: field.value }, shown);
    if (told) show(shown, told);
  };
  section.querySelector('.start').onclick = send;
  field.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || field.rows > 1 || event.isComposing) return;
    event.preventDefault();
    send();
  });
};
