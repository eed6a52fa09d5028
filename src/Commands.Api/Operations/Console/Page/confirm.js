// A question before a step that cannot be taken back.

/** Resolves to whether the answer is yes; the focus starts at no. */
export function ask({ title, text, yes, no = 'Keep it' }) {
  const dialog = document.getElementById('confirm');
  const [refuse, accept] = dialog.querySelectorAll('button');
  dialog.querySelector('h2').textContent = title;
  dialog.querySelector('p').textContent = text;
  [refuse.textContent, accept.textContent] = [no, yes];
  dialog.returnValue = 'no';
  dialog.showModal();
  return new Promise((done) => {
    dialog.addEventListener('close', () => done(dialog.returnValue === 'yes'), { once: true });
  });
}
