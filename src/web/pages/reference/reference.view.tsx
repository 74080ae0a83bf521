import { raw } from 'hono/html';
import type { Child, PropsWithChildren } from 'hono/jsx';
import { pathDescriptions } from '../../../registry.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { assets } from '../../page-model/assets.ts';
import { Layout } from '../../server/layout.tsx';
import type { Endpoint, Reference } from './document.ts';
import type { Guide } from './guides.ts';
import { OperationSection } from './operation.view.tsx';
import { TryCredentialForm } from './try-request.view.tsx';

interface ReferenceLayoutProps {
  title: string;
  isSignedIn: boolean;
  reference: Reference;
  guides: readonly Guide[];
  here: string;
  query?: string;
  scripts?: readonly string[];
}

function ReferenceLayout(props: PropsWithChildren<ReferenceLayoutProps>) {
  const { title, isSignedIn, reference, guides, here, query, scripts = [], children } = props;
  return (
    <Layout
      title={`${title} · Edgework reference`}
      nav={isSignedIn ? 'member' : 'public'}
      width="full"
      scripts={scripts}
    >
      <div class="reference">
        <search class="find">
          <form method="get" action="/docs">
            <label for="q" class="off-screen">
              Search the reference
            </label>
            <input id="q" type="search" name="q" value={query ?? ''} placeholder="Search the reference" />
            <button type="submit" class="plain">
              Search
            </button>
          </form>
          <a class="to-contents" href="#contents">
            Contents
          </a>
        </search>
        <div class="reference-text">{children}</div>
        <nav id="contents" class="contents" aria-label="Reference">
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
    </Layout>
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
  const words = group.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

type PageProps = Omit<ReferenceLayoutProps, 'title' | 'here' | 'scripts'>;

export function ReferenceOverview({ origin, ...props }: PageProps & { origin: string }) {
  return (
    <ReferenceLayout {...props} title="Reference" here="/docs">
      <h1>Reference</h1>
      <p class="lead">
        All operations under <code>{origin}/v1</code>. Also available as an{' '}
        <a href="/openapi.json">OpenAPI document</a>: to use it in Postman or Insomnia, import the URL{' '}
        <code>{origin}/openapi.json</code>. From JavaScript, use the <a href="/docs/client">client</a>. To
        generate another one, read <a href="/docs/clients">Clients and generators</a>.
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

interface SearchResultsProps extends PageProps {
  query: string;
  found: readonly Endpoint[];
  foundGuides: readonly Guide[];
}

export function SearchResults({ query, found, foundGuides, ...props }: SearchResultsProps) {
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

export function OperationGroup({
  group,
  endpoints,
  origin,
  ...props
}: PageProps & { group: string; endpoints: readonly Endpoint[]; origin: string }) {
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

interface GuideProps extends PageProps {
  guide: Guide;
  before: Child;
  /** The guide as HTML. */
  text: string;
}

export function GuidePage({ guide, before, text, ...props }: GuideProps) {
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
