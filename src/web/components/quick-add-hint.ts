/** The My work page and the quick-create dialog both show this hint. */
export const QUICK_ADD_HINT =
  'Add details after commas: @person, friday 17:30, every week, high, #project, +tag, under #12';
