export function findDefaultProject(selected: string): { readonly id: string; readonly name: string } | null {
  const openProjectId = document.querySelector<HTMLElement>(':is(#panel-content, main) [data-project]')
    ?.dataset.project;
  const filteredProjectId = new URLSearchParams(location.search).get('project');
  const [first] = listSidebarProjects();
  const id = selected || openProjectId || filteredProjectId || first?.id;
  if (!id) return null;
  const listedProject = listSidebarProjects().find((project) => project.id === id);
  const nameElement = document.querySelector(`main a[href$="/projects/${Number(id)}"] bdi, main h1 bdi`);
  return listedProject ?? { id, name: nameElement?.textContent ?? `#${id}` };
}

function listSidebarProjects() {
  const links = [...document.querySelectorAll<HTMLAnchorElement>('#menu .nav-links a:has(.tile)')];
  return links.map((link) => ({
    id: link.pathname.split('/').at(-1) ?? '',
    name: link.querySelector('bdi')?.textContent ?? '',
  }));
}
