/** Why a webhook stopped by itself. */
export const stopReasons = [
  'receiver_gone',
  'failed_too_long',
  'access_ended',
  'address_refused',
  'secret_unreadable',
] as const;
export type StopReason = (typeof stopReasons)[number];
