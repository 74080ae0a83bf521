/** Shows the copy buttons and makes them work. Without it people can select the text by hand. */
export const copyScript = `for (const button of document.querySelectorAll('button[data-copy]')) {
  const source = document.getElementById(button.dataset.copy);
  button.hidden = false;
  button.addEventListener('click', async () => {
    source.focus();
    source.select();
    try {
      await navigator.clipboard.writeText(source.value);
    } catch {
      document.execCommand('copy');
    }
    button.textContent = 'Copied';
  });
}
`;
