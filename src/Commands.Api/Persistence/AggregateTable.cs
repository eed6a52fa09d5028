using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Metadata.Builders;

namespace ApexShop.Commands.Api.Persistence;

/// <summary>What the tables of all aggregates have in common.</summary>
internal static class AggregateTable
{
    public static void IsAggregate<T>(this EntityTypeBuilder<T> entity, string table, string ids)
        where T : class
    {
        entity.ToTable(table, t => t.HasCheckConstraint($"{table}_version_check", "version >= 1"));
        // An id known before the insert: the event of a creation names it in the same commit.
        entity.Property<int>("Id").UseHiLo(ids, ShopDbContext.Schema);
        entity.Property<long>("Version").IsConcurrencyToken();
    }
}
