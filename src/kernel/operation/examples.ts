/* The demo workspace of `npm start` has this person, and items with id 1, so that examples work unchanged. */

export const exampleUserId = 'usr_0000000000000000owner';
export const examplePerson = { id: exampleUserId, name: 'Mara Lindqvist', email: 'owner@demo.test' };

export const examplePassword = 'demo-password-1';

export const exampleTag = '"7-kM2pQ7xR4tV9wZ1yB3nC5d"';
