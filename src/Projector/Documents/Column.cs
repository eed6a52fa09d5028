using Npgsql;

namespace ApexShop.Projector.Documents;

/// <summary>A column of a document table: a value of the view that SQL filters, sorts or joins by.</summary>
internal abstract record Column<TView>(string Name, string Type)
    where TView : class
{
    public string ArrayType => Type + "[]";

    public abstract NpgsqlParameter Values(IReadOnlyList<Document<TView>> documents);

    /// <summary>The value of one document for COPY.</summary>
    public abstract object? Of(TView view);
}

internal sealed record Column<TView, TValue>(string Name, string Type, Func<TView, TValue?> Value)
    : Column<TView>(Name, Type)
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

    public override object? Of(TView view) => Value(view);
}
