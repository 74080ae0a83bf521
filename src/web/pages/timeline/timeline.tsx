import { unknownProjectCheck } from '../../page-model/filter-checks.ts';
import { definePage } from '../../page-model/page.ts';
import { getTimelineDays, timelineOptionalReads, timelineParams, timelineReads } from './timeline.reads.ts';
import { TimelineView } from './timeline.view.tsx';

export const timelinePage = definePage({
  name: 'timeline',
  path: '/timeline',
  title: ({ answers }) =>
    answers.selectedProject ? `${answers.selectedProject.name}: timeline` : 'Timeline',
  params: timelineParams,
  filters: ['who', 'project'],
  unknown: { selectedProject: unknownProjectCheck },
  reads: timelineReads,
  optionalReads: timelineOptionalReads,
  inputs: ({ day, who, project }, { today }) => ({
    timeline: {
      ...getTimelineDays(day ?? today),
      ...(who && { assigneeId: ['me'] }),
      ...(project !== undefined && { projectId: [project] }),
    },
    projects: {},
    statuses: { projectId: project },
    selectedProject: project === undefined ? null : { id: project },
  }),
  view: TimelineView,
  script: 'timeline',
  hasTaskPanel: true,
});
