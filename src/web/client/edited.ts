export function isText(node: Node): node is HTMLInputElement | HTMLTextAreaElement {
  return node instanceof HTMLInputElement || node instanceof HTMLTextAreaElement;
}

/** A field that the person has typed into since the page came, and that the server does not know yet. */
export function isEdited(node: Node): boolean {
  if (node instanceof HTMLInputElement && (node.type === 'checkbox' || node.type === 'radio')) {
    return node.checked !== node.defaultChecked;
  }
  if (node instanceof HTMLInputElement && node.type === 'hidden') return false;
  if (isText(node)) {
    // A date that is half typed has no value yet.
    return node.value !== node.defaultValue || node.validity.badInput;
  }
  if (node instanceof HTMLSelectElement) {
    const options = [...node.options];
    const usual = Math.max(
      0,
      options.findIndex(({ defaultSelected }) => defaultSelected),
    );
    return node.selectedIndex !== usual;
  }
  return false;
}
