import type { ProjectContext } from './context.ts'
import type { Data, OperationId, OperationRequest } from './contract.ts'
import type { Rendered } from './rendered.ts'
import type { Replay } from './replay.ts'

/** Does what an operation promises. */
export type Handler<O extends OperationId> = (
  ctx: ProjectContext,
  request: OperationRequest<O>,
) => Promise<Data<O> | Rendered | Replay> | Data<O>

/** One handler for every operation: leaving one out, or adding one, does not compile. */
export type Handlers = { readonly [O in OperationId]: Handler<O> }
