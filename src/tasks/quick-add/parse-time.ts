const TIME = String.raw`(?<at>at )?(?<hour>\d{1,2})(?::(?<minute>\d{2}))? ?(?<half>am|pm)?`;
const timeAtEnd = new RegExp(`^(?:(?<rest>.+?) )??${TIME}$`, 'i');
const timeAtStart = new RegExp(`^${TIME} (?:on )?(?<rest>.+)$`, 'i');

export interface TextWithTime {
  /** The part of the text that states the time. */
  readonly phrase: string;
  /** The text without the time. */
  readonly rest: string;
  /** `HH:MM`, or null if it isn't clear whether the time is in the morning. */
  readonly time: string | null;
}

/**
 * Finds a time such as "17:30", "9am" or "at 17" at the end or the start of the text, whose words are separated by
 * single spaces. Returns null if there is none.
 */
export function splitTime(text: string): TextWithTime | null {
  for (const pattern of [timeAtEnd, timeAtStart]) {
    const groups = pattern.exec(text)?.groups;
    const time = groups && parseTime(groups);
    if (time === undefined) continue;
    const { rest = '' } = groups ?? {};
    const isAtEnd = pattern === timeAtEnd;
    const phrase = isAtEnd ? text.slice(rest.length).trim() : text.slice(0, text.length - rest.length).trim();
    return { phrase, rest, time };
  }
  return null;
}

/** Returns undefined if the numbers aren't a time, and null if the time is unclear, as in "at 9". */
function parseTime(groups: Readonly<Record<string, string | undefined>>): string | null | undefined {
  const { at, hour: hourText = '', minute: minuteText, half } = groups;
  const [hour, minute] = [Number(hourText), Number(minuteText ?? 0)];
  if (at === undefined && minuteText === undefined && half === undefined) return undefined;
  if (minute > 59 || hour > 23) return undefined;
  const isOnTwelveHourClock = hour >= 1 && hour <= 12;
  if (half === undefined) {
    const isUnclear = minuteText === undefined && isOnTwelveHourClock && !hourText.startsWith('0');
    return isUnclear ? null : formatTime(hour, minute);
  }
  if (!isOnTwelveHourClock) return undefined;
  return formatTime((hour % 12) + (half.toLowerCase() === 'pm' ? 12 : 0), minute);
}

function formatTime(hour: number, minute: number): string {
  return `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
}
