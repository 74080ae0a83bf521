interface ProjectsFoundProps {
  projects: readonly { readonly id: number; readonly name: string }[];
}

/** The same of projects. Names may be alike, so each comes with its number. */
export function ProjectsFound({ projects }: ProjectsFoundProps) {
  return (
    <ul id="people-found" class="rows panel">
      {projects.map(({ id, name }) => (
        <li data-person={id} data-name={name} data-email={`#${id}`} data-value={`${name} #${id}`}>
          <bdi class="row-name">{name}</bdi>
          <span class="row-fact number">#{id}</span>
        </li>
      ))}
    </ul>
  );
}
