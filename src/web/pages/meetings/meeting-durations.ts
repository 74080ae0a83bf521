/** In minutes. */
export const meetingDurations = [15, 30, 45, 60, 90, 120, 180, 240, 480] as const;

export function formatMinutes(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return [...(hours > 0 ? [`${hours} h`] : []), ...(rest > 0 ? [`${rest} min`] : [])].join(' ');
}
