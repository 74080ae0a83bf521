import { defineRoute } from '../kernel/http/route.ts';
import { listAuditEntries } from './audit.ts';

export const auditRoutes = [defineRoute('GET', '/audit', listAuditEntries)];
