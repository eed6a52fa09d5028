using ApexShop.Caching;
using Npgsql;

namespace ApexShop.Projector.CacheInvalidation;

/// <summary>
/// Tags of committed changes, stored in the database until they are raised. <paramref name="Version"/> is the row's
/// xmin, which distinguishes tags that this process has raised from tags that another one stored meanwhile.
/// </summary>
internal sealed record PendingTags(IReadOnlyCollection<string> Tags, uint Version)
{
    public const string SelectSql = "SELECT pending_tags, xmin FROM read.projection_state";

    private const int Limit = 10_000;

    public static PendingTags From(NpgsqlDataReader reader) =>
        new(reader.GetFieldValue<string[]>(0), reader.GetFieldValue<uint>(1));

    /// <summary>These and the new tags; too many become the one tag that every cached response has.</summary>
    public string[] With(IReadOnlySet<string> invalidations)
    {
        var union = invalidations.Union(Tags).ToArray();
        return union.Length > Limit || union.Contains(CacheTags.Everything) ? [CacheTags.Everything] : union;
    }
}
