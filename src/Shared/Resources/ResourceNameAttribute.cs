using System.ComponentModel.DataAnnotations;

namespace ApexShop.Resources;

/// <summary>The value is the name of a resource.</summary>
[AttributeUsage(AttributeTargets.Parameter | AttributeTargets.Property)]
public sealed class ResourceNameAttribute() : AllowedValuesAttribute([.. Resource.Names]);
