// The ways to run each journey: with only the keyboard, with a mouse, and with a mouse but without JavaScript.
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';

/** A control that doesn't have focus after this many attempts is considered unreachable. */
const TABS_MAX = 150;

export interface InputMethod {
  readonly name: string;
  readonly options: BrowserContextOptions;
  /** Presses a button, follows a link, or expands a section. */
  press(target: Locator): Promise<void>;
  /** Types text into a field, or selects the option with this label. */
  enterText(field: Locator, text: string): Promise<void>;
}

const byPointer = {
  press: (target: Locator) => target.click(),
  enterText: async (field: Locator, text: string) => {
    if (await isList(field)) await field.selectOption({ label: text });
    else await field.fill(text);
  },
};

const byKeyboard = {
  press: async (target: Locator) => {
    await tabTo(target);
    await target.page().keyboard.press('Enter');
  },
  enterText: async (field: Locator, text: string) => {
    await tabTo(field);
    const { keyboard } = field.page();
    if (!(await isList(field))) {
      await keyboard.press('ControlOrMeta+A');
      // Inserts all text at once, because typing letter by letter is slow.
      return keyboard.insertText(text);
    }
    // Typing in a focused list selects the option that starts with the typed text.
    await keyboard.type(text.split(' ')[0] ?? '');
    const getSelectedLabel = () =>
      field.evaluate((list: HTMLSelectElement) => list.selectedOptions[0]?.label ?? '');
    for (let steps = 0; (await getSelectedLabel()) !== text; steps += 1) {
      if (steps > TABS_MAX) throw new Error(`No ${text} in the list`);
      await keyboard.press('ArrowDown');
    }
  },
};

/** Page transitions would take a third of a journey's time. Other tests cover them. */
const withoutMotion: BrowserContextOptions = { reducedMotion: 'reduce' };

export const inputMethods: readonly InputMethod[] = [
  { name: 'keyboard', options: withoutMotion, ...byKeyboard },
  { name: 'mouse', options: withoutMotion, ...byPointer },
  {
    name: 'mouse, without JavaScript',
    options: { ...withoutMotion, javaScriptEnabled: false },
    ...byPointer,
  },
];

function isList(field: Locator): Promise<boolean> {
  return field.evaluate((element) => element instanceof HTMLSelectElement);
}

export async function tabTo(target: Locator): Promise<void> {
  await target.waitFor();
  const { keyboard } = target.page();
  for (let presses = 0; presses < TABS_MAX; presses += 1) {
    const { away, skips } = await target.evaluate(countTabStops);
    if (away === 0) return;
    if (skips) await keyboard.press('Enter');
    // `away` is wrong if the page adds or removes tab stops after it is counted. The next round then corrects it.
    else for (let press = 0; press < Math.max(1, away); press += 1) await keyboard.press('Tab');
  }
  throw new Error(`${target} is not reached with ${TABS_MAX} presses of Tab`);
}

/**
 * Counts the presses of Tab from the focused element to the target, or to the link that skips the sidebar. `skips` is
 * true if that link has focus.
 */
function countTabStops(target: Element): { away: number; skips: boolean } {
  const active = document.activeElement;
  if (target === active) return { away: 0, skips: false };
  const main = target.closest('main');
  if (main && active?.matches('.skip')) return { away: 1, skips: true };
  const all = [
    ...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"]'),
  ];
  const stops = all.filter(
    (each) => each.checkVisibility() && !each.matches(':disabled, [type="hidden"], [tabindex="-1"]'),
  );
  const at = active === document.body ? -1 : stops.indexOf(active ?? target);
  if (at >= 0 || !main) return { away: stops.indexOf(target) - at, skips: false };
  // If nothing has focus, Tab first reaches the skip link, unless the link has already been followed.
  const isPast = location.hash === `#${main.id}`;
  return { away: isPast ? stops.filter((each) => main.contains(each)).indexOf(target) + 1 : 1, skips: false };
}

export interface FormInput {
  readonly fields?: Readonly<Record<string, string>>;
  readonly button: string | RegExp;
}

/** Fills in and submits a form, expanding it first if needed. Resolves once the response arrives. */
export async function submitForm(
  inputMethod: InputMethod,
  form: Locator,
  { fields = {}, button }: FormInput,
): Promise<void> {
  const folded = form.locator('xpath=ancestor::details[not(@open)]/summary');
  if ((await folded.count()) > 0) await inputMethod.press(folded.first());
  for (const [name, text] of Object.entries(fields))
    await inputMethod.enterText(form.locator(`[name="${name}"]`).last(), text);
  await Promise.all([
    waitForPostResponse(form.page()),
    inputMethod.press(form.getByRole('button', { name: button })),
  ]);
}

/**
 * Selects an option of an auto-saved list. The keyboard confirms the choice with Enter. Without JavaScript, a button
 * submits it.
 */
export async function chooseOption(inputMethod: InputMethod, form: Locator, text: string): Promise<void> {
  const answer = waitForPostResponse(form.page());
  await inputMethod.enterText(form.getByRole('combobox'), text);
  if (inputMethod.name === 'keyboard') await form.page().keyboard.press('Enter');
  if (inputMethod.options.javaScriptEnabled === false) await inputMethod.press(form.getByRole('button'));
  await answer;
}

export async function waitForPostResponse(page: Page): Promise<void> {
  const response = await page.waitForResponse((each) => each.request().method() === 'POST');
  await response.finished();
}

/** Finds a form by the end of its action URL, or by a pattern in its text. */
export function findForm(page: Page, action: string | RegExp): Locator {
  return typeof action === 'string'
    ? page.locator(`form[action$="${action}"]`)
    : page.locator('form').filter({ hasText: action });
}
