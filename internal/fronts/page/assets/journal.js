// The journal's page, which the judge draws as wgslab journal does, and the field for a conversation that the visitor had
// with an AI tutor elsewhere.

import { element, spoken } from './words.js';

// openPage shows a page of HTML in a tab that is open already: a browser blocks one that opens after a wait.
const openPage = (tab, html) => {
  const { theme } = document.documentElement.dataset;
  const themed = theme ? html.replace('color-scheme: light dark', `color-scheme: ${theme}`) : html;
  tab.location = URL.createObjectURL(new Blob([themed], { type: 'text/html' }));
};

// setUpJournal makes the journal's button and the field work. ask sends a request to the judge.
export const setUpJournal = (ask) => {
  const button = document.getElementById('journal'), arrived = document.getElementById('arrived');
  button.onclick = async () => {
    const tab = open('', '_blank');
    try {
      if (!tab) throw new Error('the browser blocks new tabs of this page');
      tab.document.body.textContent = 'Reading your journal…';
      openPage(tab, (await ask({ do: 'journal' })).page);
    } catch (error) {
      tab?.close();
      arrived.replaceChildren(element('p', { role: 'status' }, `The journal doesn’t open: ${error.message}.`));
    }
  };

  const form = document.getElementById('paste'), field = element('textarea', { rows: 6, ariaLabel: 'The conversation' });
  const ids = new Set([...document.querySelectorAll('#lessons [data-mark]')].map(({ dataset }) => dataset.mark));
  const exercise = element('select', { ariaLabel: 'Its exercise' }, new Option('The exercise that it names', ''), ...[...ids].map((id) => new Option(id)));
  const keep = element('button', { type: 'button', textContent: 'Keep' }), said = element('p', { role: 'status' });
  form.append(
    element('summary', {}, 'Keep a conversation with an AI tutor'),
    element('p', {}, ...spoken('Paste it as Markdown, with a line such as `**You:**` or `**Assistant:**` before each turn. Or drop its file here.')),
    field, element('p', { className: 'buttons' }, exercise, ' ', keep), said);
  keep.onclick = async () => {
    if (!field.value.trim()) {
      said.textContent = 'Paste a conversation first.';
      return;
    }
    try {
      const { says } = await ask({ do: 'journal', exercise: exercise.value, source: field.value });
      said.textContent = `${says[0].toUpperCase()}${says.slice(1)}. The journal shows it.`;
      field.value = '';
    } catch (error) {
      said.textContent = `Nothing was kept: ${error.message}.`;
    }
  };
  form.ondragover = (event) => event.preventDefault();
  form.ondrop = async (event) => {
    const [file] = event.dataTransfer.files;
    if (!file) return; // a text goes where it is dropped
    event.preventDefault();
    field.value = await file.text();
  };
};
