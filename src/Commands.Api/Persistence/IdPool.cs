using System.Collections.Concurrent;

namespace ApexShop.Commands.Api.Persistence;

/// <summary>
/// The ids of creations that PostgreSQL refused, for the next creations in this process. Without it, a client that
/// repeats creations which are always refused would use up the ids of a sequence.
/// </summary>
internal sealed class IdPool
{
    private readonly ConcurrentDictionary<Type, ConcurrentStack<int>> ids = [];

    /// <summary>An id that no row has, and that nothing else in this process will use; null if there is none.</summary>
    public int? Take(Type aggregate) => Of(aggregate).TryPop(out var id) ? id : null;

    public void Return(IAggregate refused) => Of(refused.GetType()).Push(refused.Id);

    private ConcurrentStack<int> Of(Type aggregate) => ids.GetOrAdd(aggregate, _ => []);
}
