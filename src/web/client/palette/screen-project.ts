/** Returns the draft's project, or else the screen's project, or else the first project in the sidebar. */
export function findScreenProject(selected: string): { readonly id: string; readonly name: string } | null {
  const shown = document.querySelector<HTMLElement>(':is(#panel-content, main) [data-project]')?.dataset
    .project;
  const listed = new URLSearchParams(location.search).get('project');
  const [first] = listSidebarProjects();
  const id = selected || shown || listed || first?.id;
  if (!id) return null;
  const known = listSidebarProjects().find((project) => project.id === id);
  const named = document.querySelector(`main a[href$="/projects/${Number(id)}"] bdi, main h1 bdi`);
  return known ?? { id, name: named?.textContent ?? `#${id}` };
}

function listSidebarProjects() {
  const links = [...document.querySelectorAll<HTMLAnchorElement>('#menu .nav-links a:has(.tile)')];
  return links.map((link) => ({
    id: link.pathname.split('/').at(-1) ?? '',
    name: link.querySelector('bdi')?.textContent ?? '',
  }));
}
