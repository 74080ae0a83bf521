/*
 * Examples of the API reference. They refer to this person of the `npm start` demo and to items with id 1, so that
 * every example can be sent unchanged. scripts/check-openapi.ts sends them.
 */

export const exampleUserId = 'usr_0000000000000000owner';
export const examplePerson = { id: exampleUserId, name: 'Mara Lindqvist', email: 'owner@demo.test' };

export const examplePassword = 'demo-password-1';

/** The ETag of a resource with versions. */
export const exampleTag = '"7-kM2pQ7xR4tV9wZ1yB3nC5d"';
