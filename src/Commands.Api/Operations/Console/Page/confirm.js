// A question before a step that cannot be undone.

let last = Promise.resolve();

/**
 * Resolves to whether the answer is yes; the focus starts at no. A question waits until the one before is answered, and
 * is not asked when the signal is aborted meanwhile. If the signal is aborted later, the answer is no.
 */
export function ask(question, signal) {
  const answer = last.then(() => !signal.aborted && open(question, signal));
  last = answer;
  return answer;
}

function open({ title, text, yes, no = 'Keep it' }, signal) {
  const dialog = document.getElementById('confirm');
  const [refuse, accept] = dialog.querySelectorAll('button');
  showQuestion(dialog, title, text);
  [refuse.textContent, accept.textContent] = [no, yes];
  dialog.returnValue = 'no';
  dialog.showModal();
  const close = () => dialog.close('no');
  signal.addEventListener('abort', close);
  return new Promise((done) => {
    dialog.addEventListener('close', () => {
      signal.removeEventListener('abort', close);
      showQuestion(dialog, '', '');
      done(dialog.returnValue === 'yes');
    }, { once: true });
  });
}

function showQuestion(dialog, title, text) {
  dialog.querySelector('h2').textContent = title;
  dialog.querySelector('p').textContent = text;
}
