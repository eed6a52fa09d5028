using System.Text.Json.Serialization.Metadata;
using ApexShop.Events;

namespace ApexShop.Commands.Api.Persistence;

/// <summary>A table, its columns in the order of COPY, and the action that writes the rows of one state.</summary>
internal sealed record CopyTarget<T>(string Table, string Columns, Action<CopyBuffer, T> Write);

/// <summary>
/// How an aggregate is created by COPY: the sequence of its ids, the event of its creation, and its tables, of which
/// the aggregate's own is the first. The rows are made of the state that the event contains.
/// </summary>
internal sealed record CopyTable<T>(
    string Resource, string IdSequence, string EventType, JsonTypeInfo<T> Json, params CopyTarget<T>[] Targets)
    where T : IAggregateState
{
    /// <summary>
    /// The order in which rows with a unique key are inserted: two lists with the same keys then wait for each other
    /// instead of deadlocking.
    /// </summary>
    public Comparison<T>? InsertOrder { get; init; }
}
