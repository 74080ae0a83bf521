import { raw } from 'hono/html';
import type { Child, PropsWithChildren } from 'hono/jsx';
import { pathDescriptions } from '../../../registry.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { assets } from '../../page-model/assets.ts';
import { SiteLayout } from '../../server/layout.tsx';
import type { ApiReference, Endpoint } from './api-reference.ts';
import type { Guide } from './guides.ts';
import { OperationSection } from './operation.view.tsx';
import { TryCredentialForm } from './try-request.view.tsx';

interface ReferenceLayoutProps {
  title: string;
  isSignedIn: boolean;
  reference: ApiReference;
  guides: readonly Guide[];
  here: string;
  query?: string;
  scripts?: readonly string[];
}

function ReferenceLayout(props: PropsWithChildren<ReferenceLayoutProps>) {
  const { title, isSignedIn, reference, guides, here, query, scripts = [], children } = props;
  return (
    <SiteLayout
      title={`${title} · Edgework docs`}
      nav={isSignedIn ? 'member' : 'public'}
      width="full"
      scripts={scripts}
    >
      <div class="reference">
        <search class="reference-search">
          <form method="get" action="/docs">
            <label for="q" class="off-screen">
              Search the docs
            </label>
            <input id="q" type="search" name="q" value={query ?? ''} placeholder="Search the docs" />
            <button type="submit" class="plain">
              Search
            </button>
          </form>
          <a class="to-contents" href="#contents">
            Contents
          </a>
        </search>
        <div class="reference-text">{children}</div>
        <nav id="contents" class="contents" aria-label="Docs">
          <a href="/docs" aria-current={here === '/docs' ? 'page' : undefined}>
            Overview
          </a>
          <h2>Guides</h2>
          <ul>
            {guides.map(({ slug, title: name }) => (
              <ContentsLink href={`/docs/${slug}`} here={here} name={name} />
            ))}
          </ul>
          <h2>Operations</h2>
          <ul>
            {[...reference.groups.keys()].map((group) => (
              <ContentsLink href={`/docs/api/${group}`} here={here} name={formatGroupName(group)} />
            ))}
          </ul>
        </nav>
      </div>
    </SiteLayout>
  );
}

function ContentsLink({ href, here, name }: { href: string; here: string; name: string }) {
  return (
    <li>
      <a href={href} aria-current={here === href ? 'page' : undefined}>
        {name}
      </a>
    </li>
  );
}

function formatGroupName(group: string): string {
  if (group === 'labels') return 'Tags';
  const words = group.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

type ReferencePageProps = Omit<ReferenceLayoutProps, 'title' | 'here' | 'scripts'>;

export function ReferenceOverviewPage({ origin, ...props }: ReferencePageProps & { origin: string }) {
  return (
    <ReferenceLayout {...props} title="Docs" here="/docs">
      <h1>Docs</h1>
      <p class="lead">
        All operations are under <code>{origin}/v1</code>. To use them in Postman or Insomnia, import the{' '}
        <a href="/openapi.json">OpenAPI document</a> from <code>{origin}/openapi.json</code>. From JavaScript,
        use the <a href="/docs/client">client</a>. To generate another client, read{' '}
        <a href="/docs/clients">Clients and generators</a>.
      </p>
      <ul class="guides">
        {props.guides.map(({ slug, title, about }) => (
          <li>
            <a href={`/docs/${slug}`}>{title}</a>
            <span>{about}</span>
          </li>
        ))}
      </ul>
      {[...props.reference.groups].map(([group, endpoints]) => (
        <section aria-labelledby={`group-${group}`}>
          <h2 id={`group-${group}`}>{formatGroupName(group)}</h2>
          <EndpointList endpoints={endpoints} />
        </section>
      ))}
    </ReferenceLayout>
  );
}

interface SearchResultsPageProps extends ReferencePageProps {
  query: string;
  found: readonly Endpoint[];
  foundGuides: readonly Guide[];
}

export function SearchResultsPage({ query, found, foundGuides, ...props }: SearchResultsPageProps) {
  const isEmpty = found.length + foundGuides.length === 0;
  return (
    <ReferenceLayout {...props} query={query} title={`Search for ${query}`} here="">
      <h1>
        Results for <bdi>{query}</bdi>
      </h1>
      {isEmpty ? (
        <EmptyState icon="search">
          <p>No results. Try fewer words or a field name.</p>
        </EmptyState>
      ) : null}
      {foundGuides.length > 0 ? (
        <ul class="guides">
          {foundGuides.map(({ slug, title, about }) => (
            <li>
              <a href={`/docs/${slug}`}>{title}</a>
              <span>{about}</span>
            </li>
          ))}
        </ul>
      ) : null}
      <EndpointList endpoints={found} />
    </ReferenceLayout>
  );
}

export function OperationGroupPage({
  group,
  endpoints,
  origin,
  ...props
}: ReferencePageProps & { group: string; endpoints: readonly Endpoint[]; origin: string }) {
  return (
    <ReferenceLayout
      {...props}
      title={formatGroupName(group)}
      here={`/docs/api/${group}`}
      scripts={[assets.tryRequest]}
    >
      <h1>{formatGroupName(group)}</h1>
      <p class="lead">{pathDescriptions[group]}</p>
      <TryCredentialForm />
      {endpoints.map((endpoint) => (
        <OperationSection endpoint={endpoint} reference={props.reference} origin={origin} />
      ))}
    </ReferenceLayout>
  );
}

interface GuidePageProps extends ReferencePageProps {
  guide: Guide;
  before: Child;
  /** The guide as HTML. */
  text: string;
}

export function GuidePage({ guide, before, text, ...props }: GuidePageProps) {
  return (
    <ReferenceLayout {...props} title={guide.title} here={`/docs/${guide.slug}`}>
      <h1>{guide.title}</h1>
      <article class="guide">
        {before}
        {raw(text)}
      </article>
    </ReferenceLayout>
  );
}

function EndpointList({ endpoints }: { endpoints: readonly Endpoint[] }) {
  return (
    <ul class="endpoints">
      {endpoints.map(({ method, path, described }) => (
        <li>
          <a href={`/docs/api/${described.tags[0]}#${described.operationId}`}>{described.summary}</a>
          <code>
            {method} {path}
          </code>
        </li>
      ))}
    </ul>
  );
}
