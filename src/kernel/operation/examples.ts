/*
 * What the examples of the reference name. The demo of `npm start` has it: this person, and of everything else a number 1
 * that they may change. So every example can be sent there as it stands; scripts/check-openapi.ts does.
 */

export const exampleUserId = 'usr_0000000000000000owner';
export const examplePerson = { id: exampleUserId, name: 'Mara Lindqvist', email: 'owner@demo.test' };

export const examplePassword = 'demo-password-1';

/** The form of the ETag of a resource with versions; a header holds ASCII alone. */
export const exampleTag = '"7-kM2pQ7xR4tV9wZ1yB3nC5d"';
