import { defineRoute, type Route } from '../../kernel/http/route.ts';
import { getMe } from '../sessions/me.ts';
import { refreshSession } from '../sessions/refresh-session.ts';
import { login } from './login.ts';
import { register } from './register.ts';

export const authRoutes: readonly Route[] = [
  defineRoute('POST', '/auth/login', login),
  defineRoute('POST', '/auth/refresh', refreshSession),
  defineRoute('POST', '/auth/register', register, { status: 201 }),
  defineRoute('GET', '/me', getMe),
];
