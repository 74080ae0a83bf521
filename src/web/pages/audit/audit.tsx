import { listAuditEntries } from '../../../audit/audit.ts';
import { auditTypes } from '../../../kernel/audit/audit-types.ts';
import { defineCsvFile } from '../../page-model/csv-file.ts';
import { findDateProblems } from '../../page-model/find-date-problems.ts';
import { definePage } from '../../page-model/page.ts';
import { auditOptionalReads, auditParams, auditReads, toAuditFilter } from './audit.reads.ts';
import { AuditView } from './audit.view.tsx';
import { describeCredential, describeDetails } from './describe-entry.ts';

const ENTRIES_SHOWN_MAX = 50;

export const auditLogPage = definePage({
  name: 'auditLog',
  path: '/audit',
  title: () => 'Audit log',
  params: auditParams,
  filters: ['person', 'type', 'from', 'to'],
  problems: findDateProblems,
  unknown: {
    selectedPerson: {
      filter: 'person',
      message: "This person isn't in this workspace.",
      isIn: ({ people }) => people.length > 0,
    },
  },
  reads: auditReads,
  optionalReads: auditOptionalReads,
  inputs: (params) => ({
    log: {
      ...toAuditFilter(params),
      limit: ENTRIES_SHOWN_MAX,
      ...(params.cursor !== undefined && { cursor: params.cursor }),
    },
    people: {},
    bots: {},
    selectedPerson: params.person === undefined ? null : { ids: [params.person] },
  }),
  view: AuditView,
  script: 'saves',
});

export const auditLogCsv = defineCsvFile({
  name: 'auditLogCsv',
  path: '/audit.csv',
  params: auditParams,
  list: listAuditEntries,
  input: toAuditFilter,
  reads: {},
  inputs: () => ({}),
  columns: () => [
    { label: 'Time', text: ({ occurredAt }) => occurredAt },
    { label: 'Type', text: ({ type }) => type },
    { label: 'Event', text: ({ type }) => auditTypes[type] },
    { label: 'Actor', text: ({ actor }) => actor?.name ?? '' },
    { label: 'Actor email', text: ({ actor }) => actor?.email ?? '' },
    { label: 'Credential', text: ({ credential }) => describeCredential(credential) },
    { label: 'IP address', text: ({ ipAddress }) => ipAddress ?? '' },
    { label: 'User agent', text: ({ userAgent }) => userAgent ?? '' },
    { label: 'Person', text: ({ person }) => person?.name ?? '' },
    { label: 'Person email', text: ({ person }) => person?.email ?? '' },
    { label: 'Subject', text: ({ subject }) => subject?.name ?? '' },
    { label: 'Details', text: ({ details }) => describeDetails(details) },
  ],
});
