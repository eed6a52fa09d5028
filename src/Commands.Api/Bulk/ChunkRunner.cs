using ApexShop.Access;
using ApexShop.Commands.Api.Commands;
using ApexShop.Commands.Api.Outbox;
using ApexShop.Consistency;
using MediatR;

namespace ApexShop.Commands.Api.Bulk;

/// <summary>
/// Runs one command per chunk of a long list, each in its own scope and transaction, and sends a line for each.
/// </summary>
internal sealed class ChunkRunner(
    IServiceScopeFactory scopes, ConstraintProblems constraints, ConsistencyTokens tokens)
{
    /// <param name="body">The list.</param>
    /// <param name="command">The command that replaces a chunk's rows.</param>
    /// <param name="http">The request and its response.</param>
    /// <param name="ct">Rolls back the current chunk; the chunks before it stay committed.</param>
    public async Task RunAsync<T>(
        BulkStream<T> body,
        Func<ItemChunk<T>, IRequest<Result<BulkReplaced>>> command,
        HttpContext http,
        CancellationToken ct)
    {
        var (response, isComplete) = (new ChunkResponse(http), true);
        await foreach (var chunk in body.ChunksAsync())
        {
            // A list may arrive for longer than its caller's key is valid.
            var lost = AccessProblem(http);
            isComplete = !chunk.IsLast && lost is null;
            if ((lost ?? chunk.Problem) is { } problem) await response.RefusedAsync(chunk, problem, ct);
            else await RunAsync(chunk, command(chunk), response, ct);
            if (lost is not null) break;
        }

        await response.EndAsync(isComplete, ct);
    }

    private static Problem? AccessProblem(HttpContext http) =>
        http.FindRefusal() is { } status ? Problem.Of(status) : null;

    private async Task RunAsync<T>(
        ItemChunk<T> chunk, IRequest<Result<BulkReplaced>> command, ChunkResponse response, CancellationToken ct)
    {
        await using var scope = scopes.CreateAsyncScope();
        var result = await SendAsync(scope.ServiceProvider.GetRequiredService<IMediator>(), command, ct);
        var token = tokens.Write(scope.ServiceProvider.GetRequiredService<EventOutbox>().Token);
        if (result.Value is { } replaced) await response.DoneAsync(chunk, replaced, token, ct);
        else await response.RefusedAsync(chunk, result.Problem!, ct);
    }

    // A conflict concerns only this chunk; the chunks after it are executed.
    private async Task<Result<BulkReplaced>> SendAsync(
        IMediator mediator, IRequest<Result<BulkReplaced>> command, CancellationToken ct)
    {
        try
        {
            return await mediator.Send(command, ct);
        }
        catch (Exception refused) when (constraints.Find(refused) is { } problem)
        {
            return problem;
        }
    }
}
