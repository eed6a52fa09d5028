using Npgsql;

namespace ApexShop.Projector.ReadModels;

/// <summary>A promoted column of a document table: a value of the view that SQL filters, sorts or joins by.</summary>
internal abstract record Column<TView>(string Name, string Type, string ArrayType)
    where TView : class
{
    public abstract NpgsqlParameter Values(IReadOnlyList<Document<TView>> documents);
}

internal sealed record Column<TView, TValue>(
    string Name, string Type, Func<TView, TValue?> Value, string? SentAs = null)
    : Column<TView>(Name, Type, (SentAs ?? Type) + "[]")
    where TView : class
{
    public override NpgsqlParameter Values(IReadOnlyList<Document<TView>> documents)
    {
        var values = new TValue?[documents.Count];
        for (var i = 0; i < values.Length; i++)
        {
            if (documents[i].View is { } view) values[i] = Value(view);
        }

        return new NpgsqlParameter<TValue?[]> { TypedValue = values, DataTypeName = ArrayType };
    }
}
