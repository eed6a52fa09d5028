using ApexShop.Commands.Api.Commands;
using ApexShop.Commands.Api.Outbox;
using MediatR;

namespace ApexShop.Commands.Api.Bulk;

/// <summary>Runs a command for each chunk of a long list, in a scope and a transaction of its own, and answers with a line for each.</summary>
internal sealed class ChunkRunner(IServiceScopeFactory scopes, ConstraintProblems constraints)
{
    /// <param name="body">The list.</param>
    /// <param name="command">The command that replaces a chunk's rows.</param>
    /// <param name="http">The answer.</param>
    /// <param name="ct">Rolls the running chunk back; those before it stay.</param>
    public async Task RunAsync<T>(
        BulkStream<T> body, Func<Chunk<T>, IRequest<Result<BulkReplaced>>> command, HttpContext http, CancellationToken ct)
    {
        var (lines, isWhole) = (new ChunkResponse(http), true);
        await foreach (var chunk in body.ChunksAsync())
        {
            isWhole = !chunk.IsLast;
            if (chunk.Problem is { } problem) await lines.RefusedAsync(chunk, problem, ct);
            else await RunAsync(chunk, command(chunk), lines, ct);
        }

        await lines.EndAsync(isWhole, ct);
    }

    private async Task RunAsync<T>(Chunk<T> chunk, IRequest<Result<BulkReplaced>> command, ChunkResponse lines, CancellationToken ct)
    {
        await using var scope = scopes.CreateAsyncScope();
        var result = await SendAsync(scope.ServiceProvider.GetRequiredService<IMediator>(), command, ct);
        var token = scope.ServiceProvider.GetRequiredService<EventOutbox>().Token.ToString();
        if (result.Value is { } replaced) await lines.DoneAsync(chunk, replaced, token, ct);
        else await lines.RefusedAsync(chunk, result.Problem!, ct);
    }

    // What would be a request's 409 is this chunk's: the chunks after it are not the ones that lost the race.
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
