using System.Text.Json;
using ApexShop.Commands.Api.Outbox;
using ApexShop.Commands.Api.Persistence;
using MediatR;
using Microsoft.AspNetCore.Http.Json;
using Microsoft.Extensions.Options;

namespace ApexShop.Commands.Api.Commands.Idempotency;

/// <summary>
/// A command with a key is carried out once: its answer is committed with its changes, so that after a crash either both
/// are there, and the answer is given again, or neither, and the command runs. Without a key it costs nothing.
/// </summary>
internal sealed class IdempotentCommand<TRequest, TResponse>(
    IdempotencyKey key, ShopDbContext db, StoredResponses answers, EventOutbox outbox, ConstraintProblems constraints, IOptions<JsonOptions> json)
    : IPipelineBehavior<TRequest, TResponse>
    where TRequest : IRequest<TResponse>
    where TResponse : Result, IProblemResult<TResponse>
{
    private static readonly Problem inProgress = Problem.Conflict(
        "idempotency.in_progress", "The first request with this Idempotency-Key still runs; ask again for its answer.");

    private static readonly Problem reused = new(
        StatusCodes.Status422UnprocessableEntity, "idempotency.key_reused", "This Idempotency-Key was used for another request.");

    private JsonSerializerOptions Json => json.Value.SerializerOptions;

    public Task<TResponse> Handle(TRequest request, CancellationToken ct, RequestHandlerDelegate<TResponse> next) =>
        key.Hash is { } keyHash ? OnceAsync(keyHash, key.HashOf(request, Json), next, ct) : next();

    private async Task<TResponse> OnceAsync(
        byte[] keyHash, byte[] requestHash, RequestHandlerDelegate<TResponse> next, CancellationToken ct)
    {
        await using var transaction = await db.Database.BeginTransactionAsync(ct);
        var claim = await answers.ClaimAsync(keyHash, ct);
        key.IsInProgress = !claim.IsHeld;
        if (!claim.IsHeld) return TResponse.FromProblem(inProgress);
        if (claim.Kept is { } kept) return kept.RequestHash.AsSpan().SequenceEqual(requestHash) ? Replay(kept) : TResponse.FromProblem(reused);

        var response = await RunAsync(next);
        if (response.Problem is { } problem && !IsLasting(problem)) return response;

        var isRefused = response.Problem is not null;
        // What the handler had in mind is rolled back; nothing may save it later after all.
        if (isRefused) db.ChangeTracker.Clear();
        var answer = JsonSerializer.Serialize(new StoredResult<TResponse>(response, isRefused ? [] : outbox.Token.Changes), Json);
        await answers.KeepAsync(claim, new StoredResponse(requestHash, answer), isRefused, ct);
        await transaction.CommitAsync(ct);
        return response;
    }

    private async Task<TResponse> RunAsync(RequestHandlerDelegate<TResponse> next)
    {
        try
        {
            return await next();
        }
        catch (Exception refused) when (constraints.Find(refused) is { } problem && IsLasting(problem))
        {
            return TResponse.FromProblem(problem);
        }
    }

    // A request that was never valid does not use up its key, wherever that was found; what is our fault, or a matter of
    // the moment, may be better the next time.
    private static bool IsLasting(Problem problem) =>
        problem.Status is > StatusCodes.Status400BadRequest and < StatusCodes.Status500InternalServerError
        && problem.Code != ConstraintProblems.Overtaken.Code;

    private TResponse Replay(StoredResponse kept)
    {
        var given = JsonSerializer.Deserialize<StoredResult<TResponse>>(kept.Answer, Json)!;
        foreach (var change in given.Changes) outbox.RecordChange(change.Resource, change.Id, change.Version);
        key.IsReplayed = true;
        return given.Result;
    }
}
