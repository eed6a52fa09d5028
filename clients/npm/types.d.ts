// Made by generate.js from the OpenAPI documents of both APIs.
export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description The response of a bulk create: the new ids, in the order of the items. */
        BulkCreated: {
            /** Format: int32 */
            count: number;
            ids: number[];
        };
        /** @description The response of a bulk replace: the new versions, in the order of the items. */
        BulkReplaced: {
            /** Format: int32 */
            count: number;
            items: components["schemas"]["Saved"][];
        };
        /** @description One category; `version` increases by one with each change of it. */
        Category: {
            /** Format: date-time */
            createdDate: string;
            description: string | null;
            /** Format: int32 */
            id: number;
            isActive: boolean;
            name: string;
            /** Format: int32 */
            productCount: number;
            /** Format: int64 */
            version: number;
        };
        CategoryBatch: {
            data: components["schemas"]["Category"][];
            /** @description The ids that no category has. */
            missing: number[];
        };
        /** @description The editable fields of a category: name 1 to 200 characters, description up to 2,000; by default active. */
        CategoryInput: {
            description?: null | string;
            /** @default true */
            isActive?: boolean;
            name: string & unknown;
        };
        /** @description The editable fields of a category: name 1 to 200 characters, description up to 2,000; by default active. */
        CategoryInputItem: {
            description?: null | string;
            /** Format: int32 */
            id: number;
            /** @default true */
            isActive?: boolean;
            name: string & unknown;
            /** Format: int64 */
            version?: null | number;
        };
        CategoryQuery: {
            /** @description Returns only documents whose isActive is this. */
            isActive?: boolean;
            /**
             * @description The order; the default is the order of ids, or the order of the date by which the list is filtered.
             * @enum {string}
             */
            sort?: "id" | "name";
        };
        CategorySlice: {
            data: components["schemas"]["Category"][];
            hasMore: boolean;
            nextCursor: string | null;
            pageSize: number;
            prevCursor: string | null;
        };
        /** @description The response of a set-based change: how many rows it changed. */
        ChangedRows: {
            /** Format: int32 */
            changed: number;
        };
        /** @description The line of a chunk that was committed. */
        ChunkDone: {
            /** Format: int32 */
            chunk: number;
            consistencyToken: string;
            /** Format: int32 */
            count: number;
            /** Format: int32 */
            first: number;
            items: {
                /** Format: int32 */
                id: number;
                /** Format: int64 */
                version: number;
            }[];
        };
        /** @description The line of a chunk that was refused completely. */
        ChunkRefused: {
            /** Format: int32 */
            chunk: number;
            /** Format: int32 */
            count: number;
            /** Format: int32 */
            first: number;
            problem: components["schemas"]["Problem"];
        };
        /** @description The last line; without it the response is incomplete. Done: the whole body was read. */
        ChunkSummary: {
            done: boolean;
            /** Format: int32 */
            failed: number;
            /** Format: int32 */
            updated: number;
        };
        CreateOrder: {
            items: components["schemas"]["CreateOrderItem"][];
            shippingAddress: string & unknown;
            /** Format: int32 */
            userId: number;
        };
        CreateOrderItem: {
            /** Format: int32 */
            productId: number;
            /** Format: int32 */
            quantity: number;
        };
        /** @description A customer's token and the end of its validity. */
        CustomerToken: {
            /** Format: int32 */
            customerId: number;
            /** Format: date-time */
            expiresAt: string;
            token: string;
        };
        /** @description The response of a set-based deletion: how many rows it deleted. */
        DeletedRows: {
            /** Format: int32 */
            deleted: number;
        };
        /** @description One order; `version` increases by one with each change of it. */
        Order: {
            currency: string;
            customer: {
                /** Format: int32 */
                id: number;
                name: string | null;
            };
            /** Format: date-time */
            deliveredDate: string | null;
            /** Format: int32 */
            id: number;
            /** Format: int32 */
            itemCount: number;
            items: {
                /** Format: int32 */
                productId: number;
                productName: string | null;
                /** Format: int32 */
                quantity: number;
                /** @description At most two decimals. */
                totalPrice: number;
                /** @description At most two decimals. */
                unitPrice: number;
            }[];
            /** Format: date-time */
            orderDate: string;
            /** Format: date-time */
            shippedDate: string | null;
            shippingAddress: string;
            /** @enum {string} */
            status: "Pending" | "Processing" | "Shipped" | "Delivered" | "Cancelled";
            statusHistory: {
                actor: string | null;
                status: string;
                /** Format: date-time */
                time: string;
            }[] | null;
            /** @description At most two decimals. */
            totalAmount: number;
            trackingNumber: string | null;
            /** Format: int64 */
            version: number;
        };
        OrderBatch: {
            data: components["schemas"]["Order"][];
            /** @description The ids that no order has. */
            missing: number[];
        };
        OrderQuery: {
            /** @description Returns only documents whose customer has this id. */
            customerId?: number[];
            /** @description Returns only documents whose order date is this or later. */
            fromDate?: string;
            /** @description Returns only documents whose total amount is this or more. */
            minAmount?: number;
            /**
             * @description The order; the default is the order of ids, or the order of the date by which the list is filtered.
             * @enum {string}
             */
            sort?: "id" | "newest" | "-amount";
            /** @description Returns only documents whose status is this one. */
            status?: ("Pending" | "Processing" | "Shipped" | "Delivered" | "Cancelled")[];
            /** @description Returns only documents whose order date is this or earlier. */
            toDate?: string;
        };
        OrderSlice: {
            data: components["schemas"]["Order"][];
            hasMore: boolean;
            nextCursor: string | null;
            pageSize: number;
            prevCursor: string | null;
        };
        /** @description An error in the format of RFC 9457. Programs use `code`, which never changes its meaning; `detail` is for people. */
        Problem: {
            /** @description The first rows that prevent the change; if the request names several ids, the rows by the id that they prevent from changing. */
            blockedBy?: {
                ids?: number[];
                items?: {
                    /** Format: int32 */
                    id: number;
                    ids: number[];
                }[];
                /** @description The resource of these rows. */
                resource: string;
            };
            /** @description What is wrong, for programs. */
            code: string;
            /**
             * Format: int64
             * @description The last position at which both logs are the same, with `log.replaced`.
             */
            commonUpTo?: number;
            /** @description The current versions, with `version.mismatch` and `stock.version_required` of a list. */
            current?: {
                /** Format: int32 */
                id: number;
                /** Format: int64 */
                version: number;
            }[];
            /** @description What is wrong with this request. */
            detail?: string;
            /** @description What is wrong, by parameter or by path in the body, such as `price` or `[17].price`. */
            errors?: {
                [key: string]: string[];
            };
            /**
             * Format: int64
             * @description The position of the last event of the current log, with `log.replaced`.
             */
            head?: number;
            /**
             * Format: int32
             * @description The maximum number of items, with `bulk.too_many`.
             */
            limit?: number;
            /** @description The identity of the current log, with `log.replaced`. */
            logId?: string;
            /** @description The scopes that the key lacks, with `access.scope_missing` of a request for events. */
            missingScopes?: string[];
            /** @description The products with too little or too much stock; `quantity` is the quantity in the order. With `stock.version_required` of a list: the products whose stock is another one than that of the item. */
            products?: {
                /** Format: int32 */
                id: number;
                /** @description Name of the product. */
                name?: string;
                /** Format: int64 */
                quantity?: number;
                /** Format: int32 */
                stock: number;
            }[];
            /**
             * Format: int64
             * @description The position of the last event that was removed, with `events.removed`.
             */
            removedUpTo?: number;
            /** Format: int32 */
            status: number;
            /**
             * Format: int32
             * @description The current stock, with `stock.version_required` of one product.
             */
            stock?: number;
            /** @description The meaning of the status, as text. */
            title: string;
            /** @description The id of the request in the log. Quote it in questions about the error. */
            traceId: string;
            /** @description The meaning of the status, as a link. */
            type: string;
            /**
             * Format: int64
             * @description The current version, with `version.mismatch` and `stock.version_required` of one aggregate.
             */
            version?: number;
        };
        /** @description One product; `version` increases by one with each change of it. */
        Product: {
            category: {
                /** Format: int32 */
                id: number;
                name: string | null;
            };
            /** Format: date-time */
            createdDate: string;
            currency: string;
            description: string | null;
            /** Format: int32 */
            id: number;
            images: {
                alt: string | null;
                /** Format: int32 */
                height: number;
                url: string;
                /** Format: int32 */
                width: number;
            }[];
            isActive: boolean;
            isFeatured: boolean;
            name: string;
            /** @description At most two decimals. */
            price: number;
            rating: {
                /** @description At most two decimals. */
                average: number;
                /** Format: int32 */
                count: number;
            };
            sku: string | null;
            slug: string | null;
            /** Format: int32 */
            stock: number;
            /** Format: date-time */
            updatedDate: string | null;
            /** Format: int64 */
            version: number;
        };
        ProductBatch: {
            data: components["schemas"]["Product"][];
            /** @description The ids that no product has. */
            missing: number[];
        };
        ProductFacets: {
            categories: {
                count: number;
                /** Format: int32 */
                id: number;
            }[];
            prices: {
                /** @description Null in the last range, which has no end. */
                below: number | null;
                count: number;
                from: number;
            }[];
            ratings: {
                count: number;
                /** @description 0: without a review. */
                stars: number;
            }[];
            stock: {
                count: number;
                inStock: boolean;
            }[];
            totalCount: number;
        };
        /** @description The editable fields of a product: name 1 to 200 characters, description up to 2,000, price 0 to 9,999,999,999,999,999.99 with at most two decimals, stock 0 to 2,147,483,647; by default active and not featured. A replacement without a stock keeps the current one. The SKU and the slug, 1 to 64 and 1 to 120 characters, are optional and unique; there may be 10 images. A replacement without them removes them. */
        ProductInput: {
            /** Format: int32 */
            categoryId: number;
            description?: null | string;
            images?: null | components["schemas"]["ProductInputImage"][];
            /** @default true */
            isActive?: boolean;
            /** @default false */
            isFeatured?: boolean;
            name: string & unknown;
            /** @description At most two decimals. */
            price: number;
            sku?: null | string;
            slug?: null | string;
            /** Format: int32 */
            stock: number;
        };
        /** @description An image of a product: a URL or a path of the shop, a text in place of the image up to 300 characters, and its size of 1 to 20,000 pixels. */
        ProductInputImage: {
            alt?: null | string;
            /** Format: int32 */
            height: number;
            url: string & unknown;
            /** Format: int32 */
            width: number;
        };
        /** @description The editable fields of a product: name 1 to 200 characters, description up to 2,000, price 0 to 9,999,999,999,999,999.99 with at most two decimals, stock 0 to 2,147,483,647; by default active and not featured. A replacement without a stock keeps the current one. The SKU and the slug, 1 to 64 and 1 to 120 characters, are optional and unique; there may be 10 images. A replacement without them removes them. */
        ProductInputItem: {
            /** Format: int32 */
            categoryId: number;
            description?: null | string;
            /** Format: int32 */
            id: number;
            images?: null | components["schemas"]["ProductInputImage"][];
            /** @default true */
            isActive?: boolean;
            /** @default false */
            isFeatured?: boolean;
            name: string & unknown;
            /** @description At most two decimals. */
            price: number;
            sku?: null | string;
            slug?: null | string;
            /** Format: int32 */
            stock?: null | number;
            /** Format: int64 */
            version?: null | number;
        };
        /** @description The editable fields of a product: name 1 to 200 characters, description up to 2,000, price 0 to 9,999,999,999,999,999.99 with at most two decimals, stock 0 to 2,147,483,647; by default active and not featured. A replacement without a stock keeps the current one. The SKU and the slug, 1 to 64 and 1 to 120 characters, are optional and unique; there may be 10 images. A replacement without them removes them. */
        ProductInputReplacement: {
            /** Format: int32 */
            categoryId: number;
            description?: null | string;
            images?: null | components["schemas"]["ProductInputImage"][];
            /** @default true */
            isActive?: boolean;
            /** @default false */
            isFeatured?: boolean;
            name: string & unknown;
            /** @description At most two decimals. */
            price: number;
            sku?: null | string;
            slug?: null | string;
            /** Format: int32 */
            stock?: null | number;
        };
        ProductQuery: {
            /** @description Returns only documents whose category has this id. */
            categoryId?: number[];
            /** @description Returns only documents whose stock is more than 0, or is 0. */
            inStock?: boolean;
            /** @description Returns only documents whose isActive is this. */
            isActive?: boolean;
            /** @description Returns only documents whose isFeatured is this. */
            isFeatured?: boolean;
            /** @description Returns only documents whose price is this or less. */
            maxPrice?: number;
            /** @description Returns only documents whose price is this or more. */
            minPrice?: number;
            /** @description Returns only documents whose last change, or creation, is after this time. It misses deletions, changes that are committed late and a renamed category: to keep a copy, use `changes`. */
            modifiedAfter?: string;
            /** @description Returns only documents whose name or description contains these words. */
            q?: string;
            /**
             * @description The order; the default is the order of ids, or the order of the date by which the list is filtered.
             * @enum {string}
             */
            sort?: "id" | "price" | "-price" | "name" | "newest" | "rating" | "relevance";
        };
        ProductSlice: {
            data: components["schemas"]["Product"][];
            hasMore: boolean;
            nextCursor: string | null;
            pageSize: number;
            prevCursor: string | null;
        };
        /** @description The response of a deletion by ids: how many rows it deleted, and which ids do not exist. */
        RemovedRows: {
            /** Format: int32 */
            deleted: number;
            notFound: number[];
        };
        /** @description One review; `version` increases by one with each change of it. */
        Review: {
            comment: string | null;
            /** Format: date-time */
            createdDate: string;
            /** Format: int32 */
            id: number;
            isVerifiedPurchase: boolean;
            product: {
                /** Format: int32 */
                id: number;
                name: string | null;
            };
            /** Format: int32 */
            rating: number;
            user: {
                /** Format: int32 */
                id: number;
                name: string | null;
            };
            /** Format: int64 */
            version: number;
        };
        ReviewBatch: {
            data: components["schemas"]["Review"][];
            /** @description The ids that no review has. */
            missing: number[];
        };
        /** @description The fields of a review: rating 1 to 5, comment up to 2,000 characters. */
        ReviewInput: {
            comment?: null | string;
            /** Format: int32 */
            productId: number;
            /** Format: int32 */
            rating: number;
            /** Format: int32 */
            userId: number;
        };
        /** @description The fields of a review: rating 1 to 5, comment up to 2,000 characters. */
        ReviewInputItem: {
            comment?: null | string;
            /** Format: int32 */
            id: number;
            /** Format: int32 */
            rating: number;
            /** Format: int64 */
            version?: null | number;
        };
        /** @description User and product of a review never change. */
        ReviewInputReplacement: {
            comment?: null | string;
            /** Format: int32 */
            rating: number;
        };
        ReviewQuery: {
            /** @description Returns only documents whose rating is this or more. */
            minRating?: number;
            /** @description Returns only documents whose product has this id. */
            productId?: number[];
            /**
             * @description The order; the default is the order of ids, or the order of the date by which the list is filtered.
             * @enum {string}
             */
            sort?: "id" | "newest" | "-rating";
            /** @description Returns only documents whose user has this id. */
            userId?: number[];
        };
        ReviewSlice: {
            data: components["schemas"]["Review"][];
            hasMore: boolean;
            nextCursor: string | null;
            pageSize: number;
            prevCursor: string | null;
        };
        /** @description The response of a create or replace: the aggregate's id and version; the version is the ETag too. */
        Saved: {
            /** Format: int32 */
            id: number;
            /** Format: int64 */
            version: number;
        };
        UpdateOrder: {
            shippingAddress: string & unknown;
            /** @enum {string} */
            status: "Pending" | "Processing" | "Shipped" | "Delivered" | "Cancelled";
            trackingNumber?: null | string;
        };
        /** @description One user; `version` increases by one with each change of it. */
        User: {
            /** Format: date-time */
            createdDate: string;
            email: string;
            firstName: string;
            /** Format: int32 */
            id: number;
            isActive: boolean;
            /** Format: date-time */
            lastLoginDate: string | null;
            lastName: string;
            /** Format: int32 */
            orderCount: number;
            phoneNumber: string | null;
            /** @description At most two decimals. */
            totalSpent: number;
            /** Format: int64 */
            version: number;
        };
        UserBatch: {
            data: components["schemas"]["User"][];
            /** @description The ids that no user has. */
            missing: number[];
        };
        /** @description The editable fields of a user: e-mail up to 254 characters, names 1 to 100, phone number up to 32, password 8 to 128. A new user needs a password; a replacement without one keeps the old one. */
        UserInput: {
            email: string & (unknown & unknown);
            firstName: string & unknown;
            /** @default true */
            isActive?: boolean;
            lastName: string & unknown;
            password?: null | string;
            phoneNumber?: (null | (string & unknown)) & unknown;
        };
        /** @description The editable fields of a user: e-mail up to 254 characters, names 1 to 100, phone number up to 32, password 8 to 128. A new user needs a password; a replacement without one keeps the old one. */
        UserInputItem: {
            email: string & (unknown & unknown);
            firstName: string & unknown;
            /** Format: int32 */
            id: number;
            /** @default true */
            isActive?: boolean;
            lastName: string & unknown;
            password?: null | string;
            phoneNumber?: (null | (string & unknown)) & unknown;
            /** Format: int64 */
            version?: null | number;
        };
        UserQuery: {
            /** @description Returns only documents whose creation is after this time. */
            createdAfter?: string;
            /** @description Returns only documents whose e-mail address is this one, ignoring case. */
            email?: string;
            /** @description Returns only documents whose isActive is this. */
            isActive?: boolean;
            /**
             * @description The order; the default is the order of ids, or the order of the date by which the list is filtered.
             * @enum {string}
             */
            sort?: "id" | "newest";
        };
        UserSlice: {
            data: components["schemas"]["User"][];
            hasMore: boolean;
            nextCursor: string | null;
            pageSize: number;
            prevCursor: string | null;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type BulkCreated = components['schemas']['BulkCreated'];
export type BulkReplaced = components['schemas']['BulkReplaced'];
export type Category = components['schemas']['Category'];
export type CategoryBatch = components['schemas']['CategoryBatch'];
export type CategoryInput = components['schemas']['CategoryInput'];
export type CategoryInputItem = components['schemas']['CategoryInputItem'];
export type CategoryQuery = components['schemas']['CategoryQuery'];
export type CategorySlice = components['schemas']['CategorySlice'];
export type ChangedRows = components['schemas']['ChangedRows'];
export type ChunkDone = components['schemas']['ChunkDone'];
export type ChunkRefused = components['schemas']['ChunkRefused'];
export type ChunkSummary = components['schemas']['ChunkSummary'];
export type CreateOrder = components['schemas']['CreateOrder'];
export type CreateOrderItem = components['schemas']['CreateOrderItem'];
export type CustomerToken = components['schemas']['CustomerToken'];
export type DeletedRows = components['schemas']['DeletedRows'];
export type Order = components['schemas']['Order'];
export type OrderBatch = components['schemas']['OrderBatch'];
export type OrderQuery = components['schemas']['OrderQuery'];
export type OrderSlice = components['schemas']['OrderSlice'];
export type Problem = components['schemas']['Problem'];
export type Product = components['schemas']['Product'];
export type ProductBatch = components['schemas']['ProductBatch'];
export type ProductFacets = components['schemas']['ProductFacets'];
export type ProductInput = components['schemas']['ProductInput'];
export type ProductInputImage = components['schemas']['ProductInputImage'];
export type ProductInputItem = components['schemas']['ProductInputItem'];
export type ProductInputReplacement = components['schemas']['ProductInputReplacement'];
export type ProductQuery = components['schemas']['ProductQuery'];
export type ProductSlice = components['schemas']['ProductSlice'];
export type RemovedRows = components['schemas']['RemovedRows'];
export type Review = components['schemas']['Review'];
export type ReviewBatch = components['schemas']['ReviewBatch'];
export type ReviewInput = components['schemas']['ReviewInput'];
export type ReviewInputItem = components['schemas']['ReviewInputItem'];
export type ReviewInputReplacement = components['schemas']['ReviewInputReplacement'];
export type ReviewQuery = components['schemas']['ReviewQuery'];
export type ReviewSlice = components['schemas']['ReviewSlice'];
export type Saved = components['schemas']['Saved'];
export type UpdateOrder = components['schemas']['UpdateOrder'];
export type User = components['schemas']['User'];
export type UserBatch = components['schemas']['UserBatch'];
export type UserInput = components['schemas']['UserInput'];
export type UserInputItem = components['schemas']['UserInputItem'];
export type UserQuery = components['schemas']['UserQuery'];
export type UserSlice = components['schemas']['UserSlice'];
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
