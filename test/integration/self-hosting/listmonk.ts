import { startFakeListmonk } from "../../server/support/fake-listmonk.ts";

// The stand-in for listmonk, where the page expects it.
startFakeListmonk({ port: 9_000 });
