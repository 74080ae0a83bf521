/** The part of the worker's scope that is used here. The types of pages and workers contradict each other. */
interface WorkerScope {
  readonly location: Location;
  readonly registration: ServiceWorkerRegistration;
  readonly clients: {
    claim(): Promise<void>;
    matchAll(options: { type: 'window'; includeUncontrolled: true }): Promise<readonly WindowClient[]>;
    openWindow(address: string): Promise<unknown>;
  };
  skipWaiting(): Promise<void>;
  addEventListener(type: 'install' | 'activate', listener: (event: WorkerEvent) => void): void;
  addEventListener(type: 'fetch', listener: (event: RequestEvent) => void): void;
  addEventListener(type: 'push', listener: (event: PushEvent) => void): void;
  addEventListener(type: 'notificationclick', listener: (event: NotificationEvent) => void): void;
}
interface WindowClient {
  readonly url: string;
  focus(): Promise<unknown>;
  postMessage(message: { opened: number }): void;
}
interface WorkerEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}
export interface RequestEvent extends WorkerEvent {
  readonly request: Request;
  readonly preloadResponse: Promise<Response | undefined>;
  respondWith(response: Promise<Response>): void;
}
export interface PushEvent extends WorkerEvent {
  readonly data: { json(): unknown } | null;
}
export interface NotificationEvent extends WorkerEvent {
  readonly notification: Notification;
}

export const worker = self as unknown as WorkerScope;
