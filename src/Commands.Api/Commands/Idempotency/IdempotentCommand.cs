using System.Text.Json;
using ApexShop.Commands.Api.Outbox;
using ApexShop.Commands.Api.Persistence;
using MediatR;
using Microsoft.AspNetCore.Http.Json;
using Microsoft.Extensions.Options;

namespace ApexShop.Commands.Api.Commands.Idempotency;

/// <summary>
/// Executes a command with a key once: its response is committed with its changes. After a crash either both exist, and
/// the stored response is sent, or neither, and the command runs. Without a key the command runs unchanged.
/// </summary>
internal sealed class IdempotentCommand<TRequest, TResponse>(
    IdempotencyKey key,
    ShopDbContext db,
    StoredResponses responses,
    EventOutbox outbox,
    ConstraintProblems constraints,
    IEnumerable<ICommandPreparation<TRequest>> preparations,
    IOptions<JsonOptions> json)
    : IPipelineBehavior<TRequest, TResponse>
    where TRequest : IRequest<TResponse>
    where TResponse : Result, IProblemResult<TResponse>
{
    private static readonly Problem inProgress = Problem.Conflict(
        "idempotency.in_progress", "The first request with this Idempotency-Key is still running; try again later.");

    private static readonly Problem reused = new(
        StatusCodes.Status422UnprocessableEntity, "idempotency.key_reused",
        "This Idempotency-Key was used for another request.");

    private JsonSerializerOptions Json => json.Value.SerializerOptions;

    public async Task<TResponse> Handle(
        TRequest request, CancellationToken ct, RequestHandlerDelegate<TResponse> next)
    {
        if (key.Hash is not { } keyHash)
        {
            await PrepareAsync(request, ct);
            return await next();
        }

        var requestHash = key.HashOf(request, Json);
        // A repeated request needs no preparation, so the key is looked up before it, and again after it.
        if (await OnceAsync(keyHash, requestHash, request, next, ct) is { } response) return response;
        await PrepareAsync(request, ct);
        return (await OnceAsync(keyHash, requestHash, request, next, ct))!;
    }

    private async Task PrepareAsync(TRequest request, CancellationToken ct)
    {
        foreach (var preparation in preparations) await preparation.PrepareAsync(request, ct);
    }

    /// <summary>Null when the command has to be prepared first; the claim of the key is then given up.</summary>
    private async Task<TResponse?> OnceAsync(
        byte[] keyHash, byte[] requestHash, TRequest request, RequestHandlerDelegate<TResponse> next,
        CancellationToken ct)
    {
        await using var transaction = await db.BeginAsync(ct);
        var claim = await responses.ClaimAsync(keyHash, ct);
        key.IsInProgress = !claim.IsHeld;
        if (!claim.IsHeld) return TResponse.FromProblem(inProgress);
        if (claim.Stored is { } earlier)
        {
            if (!earlier.RequestHash.AsSpan().SequenceEqual(requestHash)) return TResponse.FromProblem(reused);
            await transaction.CommitAsync();
            return Replay(earlier);
        }

        if (preparations.Any(one => !one.IsDone(request))) return null;
        var response = await RunAsync(next);
        if (response.Problem is { } problem && !IsPermanent(problem)) return response;

        var isRefused = response.Problem is not null;
        // The changes of the handler are rolled back; a later SaveChanges must not write them.
        if (isRefused) db.ChangeTracker.Clear();
        var result = new StoredResult<TResponse>(response, isRefused ? [] : outbox.Token.Changes);
        var stored = new StoredResponse(requestHash, JsonSerializer.Serialize(result, Json));
        await responses.StoreAsync(claim, stored, isRefused, ct);
        await transaction.CommitAsync();
        return response;
    }

    private async Task<TResponse> RunAsync(RequestHandlerDelegate<TResponse> next)
    {
        try
        {
            return await next();
        }
        catch (Exception refused) when (constraints.Find(refused) is { } problem && IsPermanent(problem))
        {
            return TResponse.FromProblem(problem);
        }
    }

    // An invalid request does not consume its key. A server error, a lost race, one order too many, or a right that the
    // caller does not have yet may succeed with the next attempt.
    private static bool IsPermanent(Problem problem) =>
        problem.Status is > StatusCodes.Status400BadRequest and < StatusCodes.Status500InternalServerError
            and not (StatusCodes.Status403Forbidden or StatusCodes.Status429TooManyRequests)
        && problem.Code != ConstraintProblems.Overtaken.Code;

    private TResponse Replay(StoredResponse stored)
    {
        var earlier = JsonSerializer.Deserialize<StoredResult<TResponse>>(stored.Result, Json)!;
        foreach (var change in earlier.Changes) outbox.RecordChange(change.Resource, change.Id, change.Version);
        key.IsReplayed = true;
        return earlier.Result;
    }
}
