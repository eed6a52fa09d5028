namespace ApexShop.Commands.Api.Commands;

/// <summary>
/// Work for a command that takes long and needs no transaction, such as hashing: it is done before one begins, because
/// a transaction that waits for it would keep a connection and its locks, or exceed the time limit of an idle one.
/// </summary>
internal interface ICommandPreparation<in TRequest>
{
    bool IsDone(TRequest request);

    /// <summary>Adds the result, or the problem, to the request, in a member that is not serialized.</summary>
    Task PrepareAsync(TRequest request, CancellationToken ct);
}
