import { type Route, route } from '../../kernel/http/route.ts';
import { getMe } from '../sessions/me.ts';
import { refreshSession } from '../sessions/refresh.ts';
import { login } from './login.ts';
import { register } from './register.ts';

export const authRoutes: readonly Route[] = [
  route('POST', '/auth/login', login),
  route('POST', '/auth/refresh', refreshSession),
  route('POST', '/auth/register', register, { status: 201 }),
  route('GET', '/me', getMe),
];
