// Three ways of using a page: by mouse, by keyboard alone, and without a script. A step of a journey works with each.
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';

/** Where nothing on a page is reached with that many presses of Tab, a person would have given up. */
const TABS_MAX = 150;

export interface Hand {
  readonly name: string;
  readonly options: BrowserContextOptions;
  /** Presses a button, follows a link, opens what is folded. */
  press(target: Locator): Promise<void>;
  /** Says something in a field, or chooses what a list calls so. */
  say(field: Locator, text: string): Promise<void>;
}

const byPointer = {
  press: (target: Locator) => target.click(),
  say: async (field: Locator, text: string) => {
    if (await isList(field)) await field.selectOption({ label: text });
    else await field.fill(text);
  },
};

const byKeyboard = {
  press: async (target: Locator) => {
    await tabTo(target);
    await target.page().keyboard.press('Enter');
  },
  say: async (field: Locator, text: string) => {
    await tabTo(field);
    const { keyboard } = field.page();
    if (!(await isList(field))) {
      await keyboard.press('ControlOrMeta+A');
      // At once, as from an input method: a frame for every letter takes longer than all the rest.
      return keyboard.insertText(text);
    }
    // As in every list of a browser, letters find what begins with them.
    await keyboard.type(text.split(' ')[0] ?? '');
    const chosen = () => field.evaluate((list: HTMLSelectElement) => list.selectedOptions[0]?.label ?? '');
    for (let steps = 0; (await chosen()) !== text; steps += 1) {
      if (steps > TABS_MAX) throw new Error(`No ${text} in the list`);
      await keyboard.press('ArrowDown');
    }
  },
};

/** A picture of each page, for its transition into the next, takes a third of the time of a journey. Other tests move. */
const still: BrowserContextOptions = { reducedMotion: 'reduce' };

export const hands: readonly Hand[] = [
  { name: 'keyboard', options: still, ...byKeyboard },
  { name: 'mouse', options: still, ...byPointer },
  { name: 'mouse, without JavaScript', options: { ...still, javaScriptEnabled: false }, ...byPointer },
];

function isList(field: Locator): Promise<boolean> {
  return field.evaluate((element) => element instanceof HTMLSelectElement);
}

async function tabTo(target: Locator): Promise<void> {
  await target.waitFor();
  const { keyboard } = target.page();
  for (let presses = 0; presses < TABS_MAX; presses += 1) {
    const { away, skips } = await target.evaluate(stopsBetween);
    if (away === 0) return;
    if (skips) await keyboard.press('Enter');
    // As many as it seems to be; what the page adds or leaves out on the way is pressed one by one.
    else for (let press = 0; press < Math.max(1, away); press += 1) await keyboard.press('Tab');
  }
  throw new Error(`${target} is not reached with ${TABS_MAX} presses of Tab`);
}

/**
 * How many stops of Tab lie between what has the focus and this, or the way past those of the frame; below 0 behind it.
 * `skips` where the focus is on that way.
 */
function stopsBetween(target: Element): { away: number; skips: boolean } {
  const active = document.activeElement;
  if (target === active) return { away: 0, skips: false };
  const main = target.closest('main');
  if (main && active?.matches('.skip')) return { away: 1, skips: true };
  const all = [
    ...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"]'),
  ];
  const stops = all.filter((each) => each.checkVisibility() && !each.matches(':disabled, [type="hidden"]'));
  const at = active === document.body ? -1 : stops.indexOf(active ?? target);
  if (at >= 0 || !main) return { away: stops.indexOf(target) - at, skips: false };
  // Nothing has the focus: the page begins with that way, or one has come by it.
  const isPast = location.hash === `#${main.id}`;
  return { away: isPast ? stops.filter((each) => main.contains(each)).indexOf(target) + 1 : 1, skips: false };
}

export interface Said {
  readonly fields?: Readonly<Record<string, string>>;
  /** What its button says. */
  readonly button: string | RegExp;
}

/** Fills in and sends a form, expanding it first if needed. Resolves once the response arrives. */
export async function send(hand: Hand, form: Locator, { fields = {}, button }: Said): Promise<void> {
  const folded = form.locator('xpath=ancestor::details[not(@open)]/summary');
  if ((await folded.count()) > 0) await hand.press(folded.first());
  for (const [name, text] of Object.entries(fields))
    await hand.say(form.locator(`[name="${name}"]`).last(), text);
  await Promise.all([answered(form.page()), hand.press(form.getByRole('button', { name: button }))]);
}

/** Chooses in a list that saves itself: at once, by keyboard with Enter, and without a script by its button. */
export async function choose(hand: Hand, form: Locator, text: string): Promise<void> {
  const answer = answered(form.page());
  await hand.say(form.getByRole('combobox'), text);
  if (hand.name === 'keyboard') await form.page().keyboard.press('Enter');
  if (hand.options.javaScriptEnabled === false) await hand.press(form.getByRole('button'));
  await answer;
}

async function answered(page: Page): Promise<void> {
  const response = await page.waitForResponse((each) => each.request().method() === 'POST');
  await response.finished();
}

/** The form with this address. */
export function formOf(page: Page, action: string | RegExp): Locator {
  return typeof action === 'string'
    ? page.locator(`form[action$="${action}"]`)
    : page.locator('form').filter({ hasText: action });
}
