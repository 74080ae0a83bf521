export function isAutoSubmitted(form: HTMLFormElement): boolean {
  return form.dataset.auto !== undefined;
}

export function isTextField(node: Node): node is HTMLInputElement | HTMLTextAreaElement {
  return node instanceof HTMLInputElement || node instanceof HTMLTextAreaElement;
}

export function isEdited(node: Node): boolean {
  if (node instanceof HTMLInputElement && (node.type === 'checkbox' || node.type === 'radio')) {
    return node.checked !== node.defaultChecked;
  }
  if (node instanceof HTMLInputElement && node.type === 'hidden') return false;
  if (isTextField(node)) {
    // A partially typed date has no value yet.
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
