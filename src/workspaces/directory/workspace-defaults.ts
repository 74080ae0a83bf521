interface TypeDefaults {
  readonly key: string;
  readonly value: string;
  readonly hours: number;
}

export interface CategoryDefaults extends TypeDefaults {
  readonly types: readonly TypeDefaults[];
}

export const defaultCategories: readonly CategoryDefaults[] = [
  {
    key: 'design',
    value: 'Design',
    hours: 4,
    types: [
      { key: 'wireframe', value: 'Wireframe', hours: 3 },
      { key: 'visual-design', value: 'Visual design', hours: 6 },
      { key: 'prototype', value: 'Prototype', hours: 5 },
    ],
  },
  {
    key: 'development',
    value: 'Development',
    hours: 6,
    types: [
      { key: 'feature', value: 'Feature', hours: 8 },
      { key: 'bug-fix', value: 'Bug fix', hours: 3 },
      { key: 'code-review', value: 'Code review', hours: 1 },
      { key: 'maintenance', value: 'Maintenance', hours: 2 },
    ],
  },
  {
    key: 'copywriting',
    value: 'Copywriting',
    hours: 3,
    types: [
      { key: 'article', value: 'Article', hours: 4 },
      { key: 'web-copy', value: 'Web copy', hours: 3 },
      { key: 'proofreading', value: 'Proofreading', hours: 1 },
    ],
  },
  {
    key: 'project-management',
    value: 'Project management',
    hours: 2,
    types: [
      { key: 'planning', value: 'Planning', hours: 2 },
      { key: 'meeting', value: 'Meeting', hours: 1 },
      { key: 'report', value: 'Report', hours: 2 },
    ],
  },
  {
    key: 'marketing',
    value: 'Marketing',
    hours: 3,
    types: [
      { key: 'campaign', value: 'Campaign', hours: 6 },
      { key: 'social-post', value: 'Social post', hours: 1 },
      { key: 'newsletter', value: 'Newsletter', hours: 3 },
    ],
  },
];

export const starterProject = {
  name: 'Getting started',
  description: 'A place for your first tasks. Press c to add one.',
} as const;
